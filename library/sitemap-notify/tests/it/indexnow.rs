//! IndexNow requests, and the meaning of response statuses.

use sitemap_core::Loc;
use sitemap_notify::{IndexNow, IndexNowError, IndexNowResponse};

fn loc(text: &str) -> Loc<'static> {
    Loc::parse(text.to_owned()).unwrap()
}

fn index_now() -> IndexNow {
    IndexNow::new(&loc("https://example.com/any"), "0123abcd-XYZ").unwrap()
}

fn bodies(index_now: &IndexNow, pages: &[&str]) -> Vec<String> {
    index_now
        .batches(pages.iter().map(|page| loc(page)))
        .map(|batch| batch.unwrap().body().to_owned())
        .collect()
}

#[test]
fn a_key_has_8_to_128_letters_digits_and_dashes() {
    let page = loc("https://example.com/");
    let (longest, too_long) = ("a".repeat(128), "a".repeat(129));
    for key in ["01234567", "ABCDwxyz", "--------", &longest] {
        assert_eq!(IndexNow::new(&page, key).unwrap().key(), key);
    }
    for key in ["", "0123456", &too_long, "0123_567", "0123 567", "0123456\u{e4}", "01234567\n", "a\"b\\cdef"]
    {
        assert!(matches!(IndexNow::new(&page, key), Err(IndexNowError::Key { .. })), "{key}");
    }
    assert_eq!(
        IndexNow::new(&page, "0123 567").unwrap_err().to_string(),
        "\"0123 567\" is not an IndexNow key; use 8 to 128 of the characters `a-z A-Z 0-9 -`"
    );
}

#[test]
fn a_request() {
    assert_eq!(
        bodies(&index_now(), &["https://example.com/a?x=1&y=\"2\"", "http://example.com/b\\"]),
        [concat!(
            r#"{"host":"example.com","key":"0123abcd-XYZ","urlList":["#,
            r#""https://example.com/a?x=1&y=%222%22","http://example.com/b%5C"]}"#
        )]
    );
    assert_eq!(bodies(&index_now(), &[]), [""; 0]);
}

#[test]
fn the_file_of_the_key() {
    assert_eq!(index_now().key_url(), "https://example.com/0123abcd-XYZ.txt");
    let elsewhere = index_now().key_location(loc("https://example.com/shop/key.txt")).unwrap();
    assert_eq!(elsewhere.key_url(), "https://example.com/shop/key.txt");
    assert_eq!(
        bodies(&elsewhere, &["http://example.com/shop/1"]),
        [concat!(
            r#"{"host":"example.com","key":"0123abcd-XYZ","keyLocation":"https://example.com/shop/key.txt","#,
            r#""urlList":["http://example.com/shop/1"]}"#
        )]
    );
    assert_eq!(
        elsewhere.check(&loc("https://example.com/shopping")).unwrap_err().to_string(),
        "page `https://example.com/shopping` is outside the directory of the key file \
         `https://example.com/shop/key.txt`; put the key file into the host's root directory"
    );
    let in_root = index_now().key_location(loc("https://example.com/key.txt?from=/shop/")).unwrap();
    assert!(in_root.check(&loc("https://example.com/blog")).is_ok());
    assert_eq!(
        index_now().key_location(loc("https://www.example.com/key.txt")).unwrap_err().to_string(),
        "key file `https://www.example.com/key.txt` is not on the host of the pages; put it on `example.com`"
    );
}

#[test]
fn ten_thousand_urls_are_a_request() {
    let pages = |count: usize| (0..count).map(|n| loc(&format!("https://example.com/{n}")));
    for (count, expected) in [
        (1, vec![1]),
        (10_000, vec![10_000]),
        (10_001, vec![10_000, 1]),
        (25_000, vec![10_000, 10_000, 5_000]),
    ] {
        let index_now = index_now();
        let urls: Vec<_> = index_now.batches(pages(count)).map(|batch| batch.unwrap().urls()).collect();
        assert_eq!(urls, expected);
    }
    let bodies = bodies(&index_now(), &vec!["https://example.com/"; 10_001]);
    assert_eq!(
        bodies.iter().map(|body| body.matches("https://example.com/").count()).collect::<Vec<_>>(),
        [10_000, 1]
    );
}

#[test]
fn pages_of_other_hosts_are_refused() {
    for other in [
        "https://www.example.com/",
        "https://example.com:8080/",
        "https://example.com.evil.example/",
        "https://example.co",
    ] {
        let error =
            index_now().batches([loc("https://example.com/"), loc(other)]).next().unwrap().unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "page `{other}` is not on host `example.com`; send the pages of each host in requests of their \
                 own"
            )
        );
    }
    let with_port = IndexNow::new(&loc("http://example.com:8080?x"), "01234567").unwrap();
    assert_eq!(with_port.host(), "example.com:8080");
}

#[test]
fn answers() {
    for (status, is_accepted, is_retryable, start) in [
        (200, true, false, "received"),
        (202, true, false, "received; the key is not checked yet"),
        (400, false, false, "the request is malformed; "),
        (403, false, false, "the key is refused; serve a file that contains exactly the key"),
        (422, false, false, "a URL is not on the host"),
        (429, false, true, "too many requests; try again later"),
        (503, false, true, "unexpected response; "),
        (302, false, false, "unexpected response; "),
        (204, false, false, "unexpected response; "),
    ] {
        let answer = IndexNowResponse::from_status(status);
        assert_eq!((answer.is_accepted(), answer.is_retryable()), (is_accepted, is_retryable), "{status}");
        let prefix = if is_accepted { String::new() } else { format!("status {status}: ") };
        assert!(answer.to_string().starts_with(&format!("{prefix}{start}")), "{answer}");
    }
}
