//! The headers of `--header`.

use crate::error::{Outcome, Stop};

/// Parses a header, such as `X-Stage: secret`. Headers that the client itself must set are errors.
pub(super) fn parse(text: &str) -> Outcome<(String, String)> {
    let Some((name, value)) = text.split_once(':') else {
        // The value may be a secret, so it is not printed.
        return Err(Stop::new("a `--header` has no colon; write `NAME: VALUE`"));
    };
    let (name, value) = (name.trim(), value.trim());
    match refusal(&name.to_ascii_lowercase()) {
        Some(why) => Err(Stop::new(format!("`--header` cannot set `{name}`{why}"))),
        None => Ok((name.to_owned(), value.to_owned())),
    }
}

/// Returns the reason why a header can't be set, with a remedy.
fn refusal(name: &str) -> Option<&'static str> {
    Some(match name {
        "user-agent" => "; use `--user-agent`",
        "host" => ", because it is the host of each URL; remove it",
        "content-length" | "content-type" | "transfer-encoding" | "expect" => {
            ", because the requests have no body; remove it"
        }
        "connection" | "keep-alive" | "proxy-connection" | "te" | "trailer" | "upgrade" => {
            ", because the client manages the connection; remove it"
        }
        "accept-encoding" => ", because the client decompresses only what it asks for; remove it",
        "if-none-match" | "if-modified-since" | "if-match" | "if-unmodified-since" | "if-range" | "range" => {
            ", because whole pages are compared with the state; remove it"
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::error::Stop;

    #[test]
    fn headers_of_the_client_are_errors() {
        for (text, message) in [
            ("Accept", "a `--header` has no colon; write `NAME: VALUE`"),
            ("User-Agent: x", "`--header` cannot set `User-Agent`; use `--user-agent`"),
            ("host:x", "`--header` cannot set `host`, because it is the host of each URL; remove it"),
            (
                "Content-Length: 3",
                "`--header` cannot set `Content-Length`, because the requests have no body; remove it",
            ),
            (
                "Range: bytes=0-1",
                "`--header` cannot set `Range`, because whole pages are compared with the state; remove it",
            ),
        ] {
            let Err(Stop::Error(found)) = parse(text) else { panic!("{text} is accepted") };
            assert_eq!(found, message);
        }
    }

    #[test]
    fn a_value_may_have_colons() {
        let (name, value) = parse(" Authorization : Basic a:b= ").unwrap();
        assert_eq!((name.as_str(), value.as_str()), ("Authorization", "Basic a:b="));
    }
}
