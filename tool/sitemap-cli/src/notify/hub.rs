//! Tells a hub that the feed has changed, so that the hub fetches it and forwards it (`WebSub`).

use std::fmt;

use url::form_urlencoded::Serializer;

use super::send::{Answer, NotSent, Sender};
use crate::error::{Outcome, Stop};
use crate::terminal::say;

/// The media type of the request.
const CONTENT_TYPE: &str = "application/x-www-form-urlencoded";

/// Explains the status of a response.
struct Status(u16);

pub(super) fn body(feed: &str) -> String {
    Serializer::new(String::new()).append_pair("hub.mode", "publish").append_pair("hub.url", feed).finish()
}

/// Sends the request.
pub(super) fn publish(mut sender: Sender<'_>, hub: &str, feed: &str) -> Outcome<()> {
    let answer = |status| Answer {
        meaning: Status(status),
        is_accepted: (200..300).contains(&status),
        is_retryable: matches!(status, 408 | 429 | 500..=599),
    };
    match sender.post(CONTENT_TYPE, &body(feed), answer) {
        Ok(_) => {
            say(&format!("`{hub}` is told of the feed"));
            Ok(())
        }
        Err(NotSent { reason, .. }) => {
            Err(Stop::new(format!("hub `{hub}` did not accept the feed: {reason}")))
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            429 => f.write_str("status 429: too many requests; try again later"),
            status => write!(f, "status {status}; check the URLs of the hub and the feed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_url_of_the_feed_is_encoded() {
        assert_eq!(
            body("https://example.com/a?b=1&c"),
            "hub.mode=publish&hub.url=https%3A%2F%2Fexample.com%2Fa%3Fb%3D1%26c"
        );
    }
}
