//! Credentials: which hosts receive them, and that messages never contain them.

use crate::support::server::{Responder, Server, ok, status};
use crate::support::{Ran, Sandbox, index, urlset};

const PAGE: &str = "<url><loc>https://example.com/</loc></url>\n";

/// The `Authorization` headers for `user` with the password `s3cret`, and for the token `t0ken`.
const BASIC: &str = "Basic dXNlcjpzM2NyZXQ=";
const BEARER: &str = "Bearer t0ken";

fn sitemap() -> Responder {
    ok(urlset(PAGE))
}

/// Runs `sitemap list URL` with additional arguments and environment variables. Panics if the command prints a secret.
fn list(sandbox: &Sandbox, url: &str, more: &[&str], variables: &[(&str, &str)]) -> Ran {
    let mut command = sandbox.command(&[&["list", url, "--allow-private"], more].concat());
    let output = command.envs(variables.iter().copied()).output().unwrap();
    let ran = Ran {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        status: output.status.code().unwrap(),
    };
    for secret in ["s3cret", "t0ken", "dXNlcjpzM2NyZXQ"] {
        assert!(!ran.stdout.contains(secret) && !ran.stderr.contains(secret), "{ran:?}");
    }
    ran
}

#[test]
fn every_way_to_give_credentials_sends_them() {
    let sandbox = Sandbox::new();
    sandbox.write("token", "t0ken\n");
    let server = Server::start(vec![("/a.xml", sitemap())]);
    let url = server.url("/a.xml");
    let with_user = url.replace("http://", "http://user:s3cret@");
    let mut expected = Vec::new();
    for (url, more, variables, sent) in [
        (&url, &["--auth", "user:s3cret"][..], &[][..], BASIC),
        (&url, &["--auth", "user"], &[("SITEMAP_PASSWORD", "s3cret")], BASIC),
        (&url, &["--bearer-file", "token"], &[], BEARER),
        (&url, &["--bearer-env", "STAGE_TOKEN"], &[("STAGE_TOKEN", "t0ken")], BEARER),
        (&with_user, &[], &[], BASIC),
        // The credentials in a URL take precedence, but only for the URL's host.
        (&with_user, &["--bearer-file", "token"], &[], BASIC),
    ] {
        let ran = list(&sandbox, url, more, variables);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{more:?}");
        expected.push(format!("/a.xml {sent}"));
    }
    expected.sort_unstable();
    assert_eq!(server.headers("Authorization"), expected);
}

#[test]
fn credentials_are_not_sent_to_other_hosts() {
    let other = Server::start(vec![
        ("/a.xml", sitemap()),
        ("/moved.xml", sitemap()),
        ("/locked.xml", status(401, "WWW-Authenticate: Basic\r\n")),
    ]);
    let own = |path: &str| other.url(path);
    let children = [own("/a.xml"), own("/locked.xml")];
    let front = Server::start(vec![
        ("/sitemap.xml", ok(index(&children.each_ref().map(String::as_str)))),
        ("/old.xml", status(301, format!("Location: {}\r\n", own("/moved.xml")))),
    ]);
    let sandbox = Sandbox::new();
    let with_user = front.url("/old.xml").replace("http://", "http://user:s3cret@");
    assert_eq!(list(&sandbox, &with_user, &[], &[]).status, 0);
    assert_eq!(list(&sandbox, &front.url("/old.xml"), &["--auth", "user:s3cret"], &[]).status, 0);
    let ran = list(&sandbox, &front.url("/sitemap.xml"), &["--auth", "user:s3cret"], &[]);
    assert_eq!(ran.status, 2);
    let host = other.url("").replace("http://", "");
    assert_eq!(
        ran.stderr,
        format!(
            "error: cannot read `{}`: status 401: the server asks for credentials, and none were sent, because \
             `{host}` is not the host of a URL on the command line\n\
             error: the result is incomplete, because 1 sitemap could not be read; see the errors above\n",
            own("/locked.xml")
        )
    );
    assert_eq!(
        other.headers("Authorization"),
        ["/a.xml none", "/locked.xml none", "/moved.xml none", "/moved.xml none"]
    );
    assert_eq!(
        front.headers("Authorization"),
        [format!("/old.xml {BASIC}"), format!("/old.xml {BASIC}"), format!("/sitemap.xml {BASIC}")]
    );
}

#[test]
fn wrong_credentials_end_the_run() {
    let server = Server::start(vec![
        ("/401.xml", status(401, "WWW-Authenticate: Basic realm=\"stage\"\r\n")),
        ("/403.xml", status(403, "")),
        ("/digest.xml", status(401, "WWW-Authenticate: Digest realm=\"x\", nonce=\"y\"\r\n")),
    ]);
    let sandbox = Sandbox::new();
    let auth = &["--auth", "user:s3cret"][..];
    for (path, more, message) in [
        ("/401.xml", auth, "status 401: the server does not accept the credentials; check them"),
        (
            "/401.xml",
            &[],
            "status 401: the server asks for credentials; give them with `--auth`, `--bearer-file` or `--bearer-env`",
        ),
        (
            "/403.xml",
            auth,
            "status 403: the server denies access with these credentials; check what they may read",
        ),
        (
            "/403.xml",
            &[],
            "status 403: the server denies access; allow this user agent or address there, or give another with `--user-agent`",
        ),
        (
            "/digest.xml",
            auth,
            "status 401: the server asks for credentials with the scheme \"Digest\"; only Basic and Bearer are \
             supported",
        ),
    ] {
        let url = server.url(path);
        let ran = list(&sandbox, &url, more, &[]);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
        assert_eq!(ran.stderr, format!("error: cannot read `{url}`: {message}\n"));
        let checked = sandbox.run(&[&["check", &url, "--allow-private"], more].concat());
        assert_eq!((checked.status, checked.stderr), (2, ran.stderr));
    }
    // If a server refuses a request, the request is not repeated.
    assert_eq!(server.requested().len(), 10);
}

#[test]
fn credentials_that_cannot_be_used_are_errors() {
    let sandbox = Sandbox::new();
    sandbox.write("two", "t0ken t0ken\n").write("empty", "\n");
    let url = "http://127.0.0.1:9/a.xml";
    for (more, message) in [
        (
            &["--auth", "user"][..],
            "`--auth` has no password, and the environment variable `SITEMAP_PASSWORD` is not set to a text; set it",
        ),
        (&["--auth", "user:s3cret\n"], "`--auth`: the password has control characters; remove them"),
        (
            &["--bearer-env", "STAGE_TOKEN"],
            "`--bearer-env` finds no token, and the environment variable `STAGE_TOKEN` is not set to a text; set it",
        ),
        (&["--bearer-file", "missing"], "cannot read `missing`: no such file or directory"),
        (
            &["--bearer-file", "two"],
            "`--bearer-file`: the token is empty or has other characters than letters, digits and `-._~+/=`; remove \
             them",
        ),
        (
            &["--bearer-file", "empty"],
            "`--bearer-file`: the token is empty or has other characters than letters, digits and `-._~+/=`; remove \
             them",
        ),
        (
            &["--auth", "user:s3cret", "--header", "authorization: Basic s3cret"],
            "credentials and a `--header` set `Authorization`; remove one of them",
        ),
        (&["--header", "s3cret"], "a `--header` has no colon; write `NAME: VALUE`"),
    ] {
        let ran = list(&sandbox, url, more, &[]);
        assert_eq!((ran.status, ran.stderr), (2, format!("error: {message}\n")));
    }
    let ran = list(&sandbox, url, &["--auth", "user:s3cret", "--bearer-file", "two"], &[]);
    assert!(ran.status == 2 && ran.stderr.contains("cannot be used with"), "{}", ran.stderr);
}

#[test]
fn messages_and_settings_have_no_secrets() {
    let sandbox = Sandbox::new();
    // The hint contains the target's URL, and the error contains the URL that can't be parsed.
    let bad = urlset("<url><loc>https://example.com/</loc><lastmod>soon</lastmod></url>\n");
    let server = Server::start(vec![("/a.xml", ok(bad))]);
    let with_user = server.url("/a.xml").replace("http://", "http://user:s3cret@");
    let ran = list(&sandbox, &with_user, &[], &[]);
    let hint = server.url("/a.xml").replace("http://", "http://***@");
    assert!(ran.stderr.contains(&format!("with `sitemap check {hint}`\n")), "{}", ran.stderr);
    let ran = list(&sandbox, "ftp://user:s3cret@example.com/", &[], &[]);
    assert_eq!(
        ran.stderr,
        "error: `ftp://***@example.com/` has the scheme `ftp`; give an http or https URL, or a path\n"
    );
    let ran = list(&sandbox, "htps://user:s3/cret@example.com/", &[], &[]);
    assert_eq!(ran.stderr, "error: `htps://…` has the scheme `htps`; give an http or https URL, or a path\n");

    sandbox.write(
        "sitemap.toml",
        "[list]\nauth = \"user:s3cret\"\nheader = [\"X-Stage: t0ken\"]\n[check]\nat = \"https://user:s3cret@x.test/\"\n",
    );
    let printed = sandbox.stdout(&["config"]);
    assert!(!printed.contains("s3cret") && !printed.contains("t0ken"), "{printed}");
    for line in ["auth = \"user:***\"", "header = [\"X-Stage: ***\"]", "at = \"https://***@x.test/\""] {
        assert!(printed.contains(line), "{printed}");
    }
    // A setting from the file is sent just like an option.
    let server = Server::start(vec![("/a.xml", sitemap())]);
    let url = server.url("/a.xml");
    assert_eq!(list(&sandbox, &url, &[], &[]).status, 0);
    assert_eq!(server.headers("Authorization"), [format!("/a.xml {BASIC}")]);
}

#[test]
fn no_document_chooses_who_gets_a_secret() {
    let sandbox = Sandbox::new();
    let server = Server::start(vec![("/", ok("<p>x</p>"))]);
    sandbox.write("sitemap.xml", urlset(&format!("<url><loc>{}</loc></url>\n", server.url("/"))));
    for (secret, what) in [
        (&["--auth", "user:s3cret"][..], "credentials"),
        (&["--header", "Authorization: Bearer t0ken"], "headers"),
        (&["--header", "X-Api-Key: t0ken"], "headers"),
    ] {
        let args = [&["check", "sitemap.xml", "--pages", "--allow-private"], secret].concat();
        let ran = sandbox.run(&args);
        let error = format!(
            "error: no URL on the command line says which host gets the {what}; give the URL of the sitemap or `--at`\n"
        );
        assert_eq!((ran.status, ran.stderr), (2, error));
    }
    assert!(server.requested().is_empty());
}

#[test]
fn a_host_has_one_user() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&["diff", "http://a:1@example.com/old.xml", "https://b:2@example.com/new.xml"]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            2,
            "error: two URLs have different user names or passwords for `example.com`; give both URLs the same ones\n"
        )
    );
}

#[test]
fn a_url_that_is_cut_by_its_password_is_not_printed() {
    for url in
        ["https://user:s3/cret@example.com/", "https://user:s3#cret@example.com/", "ftp://user:s3cret'@x/"]
    {
        let ran = Sandbox::new().run(&["list", url]);
        assert_eq!(ran.status, 2);
        assert!(!ran.stderr.contains("s3"), "{}", ran.stderr);
    }
    let ran = Sandbox::new().run(&["list", "https://user:s3/cret@example.com/"]);
    assert_eq!(
        ran.stderr,
        "error: the URL `https://…` is not valid: invalid port number; percent-encode `/`, `?`, `#` and `@` in its user \
         name and password\n"
    );
}

#[test]
fn no_report_has_the_password_of_at() {
    let sandbox = Sandbox::new();
    sandbox.write("robots.txt", "");
    sandbox.write("sitemap.xml", urlset(PAGE));
    for url in [
        "https://user:s3cret@example.com/shop/sitemap.xml",
        "https://user:s3cret@example.com/shop/",
        "https://s3cret@example.com/shop/",
    ] {
        for format in ["human", "json", "sarif", "github", "junit", "markdown"] {
            let ran = sandbox.run(&["check", "sitemap.xml", "--at", url, "--format", format]);
            assert_eq!(ran.status, 1, "{ran:?}");
            assert!(ran.stdout.contains("out-of-scope"), "{ran:?}");
            assert!(!ran.stdout.contains("s3cret") && !ran.stderr.contains("s3cret"), "{ran:?}");
        }
    }
    let ran = sandbox.run(&["check", "sitemap.xml", "--at", "https://user:s3/cret@example.com/"]);
    assert_eq!(ran.status, 2);
    assert!(!ran.stderr.contains("s3"), "{ran:?}");
}
