//! URLs that stand for others, so that sets of two hosts can be compared.

use std::borrow::Cow;

use url::Url;

/// The pairs of `--map`, such as `https://old.example=https://new.example`.
#[derive(Clone, Debug, Default)]
pub(crate) struct UrlMap(Vec<Mapped>);

/// URLs that start with `from` are read as if they started with `to`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mapped {
    from: String,
    to: String,
}

impl Mapped {
    /// Parses `FROM=TO`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let parts = text.match_indices("=http").map(|(at, _)| (&text[..at], &text[at + 1..])).next();
        let base = |part: &str| Url::parse(part).ok().map(|_| part.trim_end_matches('/').to_owned());
        let mapped = parts.and_then(|(from, to)| Some(Self { from: base(from)?, to: base(to)? }));
        mapped.ok_or_else(|| "write two URLs, such as `https://old.example=https://new.example`".to_owned())
    }
}

impl UrlMap {
    pub(crate) fn new(pairs: &[Mapped]) -> Self {
        Self(pairs.to_vec())
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the URL that stands for this one.
    pub(crate) fn url<'u>(&self, url: &'u str) -> Cow<'u, str> {
        for Mapped { from, to } in &self.0 {
            if let Some(rest) = url.strip_prefix(from.as_str())
                && is_end(rest)
            {
                return Cow::Owned([to, rest].concat());
            }
        }
        Cow::Borrowed(url)
    }

    /// Replaces all URLs in a text.
    pub(crate) fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut found = Cow::Borrowed(text);
        for Mapped { from, to } in &self.0 {
            if !found.contains(from.as_str()) {
                continue;
            }
            let mut parts = found.split(from.as_str());
            let mut mapped = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                mapped.push_str(if is_end(part) { to } else { from });
                mapped.push_str(part);
            }
            found = Cow::Owned(mapped);
        }
        found
    }
}

/// Returns `true` if the name of a host or folder ends before this text.
fn is_end(rest: &str) -> bool {
    !rest
        .starts_with(|next: char| next.is_ascii_alphanumeric() || matches!(next, '.' | '-' | '_' | ':' | '%'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_hosts_and_folders_are_replaced() {
        let map = UrlMap::new(&[
            Mapped::parse("https://old.example/=https://new.example").unwrap(),
            Mapped::parse("http://a.example/shop=https://b.example:8080/").unwrap(),
        ]);
        for (url, expected) in [
            ("https://old.example", "https://new.example"),
            ("https://old.example/a?b=c", "https://new.example/a?b=c"),
            ("https://old.example.com/a", "https://old.example.com/a"),
            ("https://old.example:81/a", "https://old.example:81/a"),
            ("http://a.example/shop/1", "https://b.example:8080/1"),
            ("http://a.example/shopping", "http://a.example/shopping"),
        ] {
            assert_eq!(map.url(url), expected);
        }
        assert_eq!(
            map.text("found \"https://old.example/a\", not https://old.example.com"),
            "found \"https://new.example/a\", not https://old.example.com"
        );
        assert_eq!(
            Mapped::parse("https://a.example/?x=1=https://b.example").map(|map| map.to),
            Ok("https://b.example".into())
        );
        assert!(Mapped::parse("old=new").is_err() && Mapped::parse("https://a.example").is_err());
    }
}
