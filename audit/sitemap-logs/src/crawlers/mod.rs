//! Verifies which requests came from search engine crawlers.

mod builder;
mod prefixes;
mod ranges;

pub use self::builder::{CrawlersBuilder, CrawlersError};

use std::net::IpAddr;

use self::ranges::Ranges;

/// Search engine crawlers and the IP addresses that their operators publish.
///
/// Anyone can send a crawler's user agent. A request is attributed to a crawler only if its user agent names that
/// crawler and its IP address is in a range published by *that* crawler's operator.
///
/// The operators publish their ranges as files. Download them yourself, because this crate opens no connections. Google
/// replaces its files daily.
///
/// | method | file | crawlers |
/// |---|---|---|
/// | [`google`](CrawlersBuilder::google) | <https://developers.google.com/static/crawling/ipranges/common-crawlers.json>, which was `googlebot.json` before | Googlebot, Googlebot-Image, Googlebot-Video, Googlebot-News, Storebot-Google, Google-InspectionTool, `GoogleOther`, `GoogleOther-Image`, `GoogleOther-Video`, Google-CloudVertexBot |
/// | [`google_special`](CrawlersBuilder::google_special) | <https://developers.google.com/static/crawling/ipranges/special-crawlers.json> | APIs-Google, AdsBot-Google, AdsBot-Google-Mobile, Mediapartners-Google, Google-Safety |
/// | [`bing`](CrawlersBuilder::bing) | <https://www.bing.com/toolbox/bingbot.json> | bingbot |
/// | [`crawler`](CrawlersBuilder::crawler) | any file of this form | as you name them |
///
/// Don't add Google's `user-triggered-fetchers.json` as a Googlebot file: its addresses belong to programs that anyone
/// can run on Google Cloud.
///
/// Sources: [Google, verify requests](https://developers.google.com/crawling/docs/crawlers-fetchers/verify-google-requests),
/// [Google, common crawlers](https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers),
/// [Google, special-case crawlers](https://developers.google.com/crawling/docs/crawlers-fetchers/google-special-case-crawlers),
/// [Google, user-triggered fetchers](https://developers.google.com/crawling/docs/crawlers-fetchers/google-user-triggered-fetchers),
/// [Bing, verifying Bingbot](https://www.bing.com/webmasters/help/how-to-verify-bingbot-3905dc26).
///
/// ```
/// use sitemap_logs::Crawlers;
///
/// let google = r#"{"creationTime": "2026-02-13T15:46:14.000000", "prefixes": [
///     {"ipv6Prefix": "2001:4860:4801:10::/64"}, {"ipv4Prefix": "66.249.64.0/27"}]}"#;
/// let bing = r#"{"creationTime": "2024-01-03T10:00:00.121331", "prefixes": [{"ipv4Prefix": "157.55.39.0/24"}]}"#;
/// let crawlers = Crawlers::builder().google(google)?.bing(bing)?.build();
///
/// let googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
/// assert_eq!(crawlers.verify("66.249.64.5".parse()?, googlebot), Some("Googlebot"));
/// assert_eq!(crawlers.verify("2001:4860:4801:10::1".parse()?, "Googlebot-Image/1.0"), Some("Googlebot-Image"));
/// // Somebody else's address, an address of Bing, and a browser.
/// assert!(!crawlers.is_verified_bot("203.0.113.9".parse()?, googlebot));
/// assert!(!crawlers.is_verified_bot("157.55.39.1".parse()?, googlebot));
/// assert!(!crawlers.is_verified_bot("66.249.64.5".parse()?, "Mozilla/5.0 (X11; Linux x86_64)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Crawlers {
    operators: Vec<Operator>,
}

/// Crawlers that share a set of IP addresses.
#[derive(Clone, Debug)]
struct Operator {
    name: Box<str>,
    /// The crawlers' product tokens, longest first.
    tokens: Vec<Box<str>>,
    ranges: Ranges,
}

impl Crawlers {
    /// Creates a builder without crawlers.
    pub fn builder() -> CrawlersBuilder {
        CrawlersBuilder::default()
    }

    /// Returns the name of the crawler that sent a request, as its operator spells it. Returns `None` if the user agent
    /// names no known crawler, or if the IP address isn't in that crawler's ranges.
    ///
    /// Matching ignores case. The name has to be a whole product token, as in `Googlebot/2.1`.
    #[must_use]
    pub fn verify(&self, ip: IpAddr, agent: &str) -> Option<&str> {
        // Few addresses are in any range. If the address is checked first, few user agents have to be searched.
        let operators = self.operators.iter().filter(|operator| operator.ranges.contains(ip));
        let mut tokens = operators.flat_map(|operator| &operator.tokens);
        tokens.find(|token| has_token(agent, token)).map(|token| &**token)
    }

    /// Returns whether a crawler sent the request, that is, whether [`verify`](Self::verify) returns a name.
    #[must_use]
    pub fn is_verified_bot(&self, ip: IpAddr, agent: &str) -> bool {
        self.verify(ip, agent).is_some()
    }

    /// Returns whether there are no crawlers.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.operators.is_empty()
    }
}

/// Returns whether a user agent contains a product token.
fn has_token(agent: &str, token: &str) -> bool {
    let (agent, token) = (agent.as_bytes(), token.as_bytes());
    let is_part_of_token =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(byte));
    agent.windows(token.len()).enumerate().any(|(start, window)| {
        window.eq_ignore_ascii_case(token)
            && !is_part_of_token(start.checked_sub(1).map(|before| &agent[before]))
            && !is_part_of_token(agent.get(start + token.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::has_token;

    #[test]
    fn a_token_is_a_whole_word_in_any_case() {
        assert!(has_token("Mozilla/5.0 (compatible; GOOGLEBOT/2.1)", "Googlebot"));
        assert!(has_token("Googlebot", "Googlebot"));
        assert!(!has_token("Googlebot-Image/1.0", "Googlebot"));
        assert!(!has_token("NotGooglebot/1.0", "Googlebot"));
        assert!(!has_token("Google", "Googlebot"));
        assert!(!has_token("", "Googlebot"));
    }
}
