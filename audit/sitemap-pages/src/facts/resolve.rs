//! Resolves the targets of a page's links.

use url::Url;

/// The base URL for resolving a page's relative targets.
///
/// Most links are paths of plain characters. A page can contain hundreds of them, so they are resolved without a URL
/// parser.
#[derive(Debug)]
pub(super) struct Base {
    url: Option<Url>,
    /// The scheme, host and port.
    origin: String,
    /// The path, up to and including its last slash.
    folder: String,
}

impl Base {
    /// Takes the page's URL and the target of its `<base href>`.
    pub(super) fn new(page: &str, base: Option<&str>) -> Self {
        let page = Url::parse(page).ok();
        let url = match (page, base) {
            (Some(page), Some(base)) => match page.join(base) {
                Ok(url) if matches!(url.scheme(), "data" | "javascript") => Some(page),
                Ok(url) => Some(url),
                Err(_) => Some(page),
            },
            (None, Some(base)) => Url::parse(base).ok(),
            (page, None) => page,
        };
        let is_web = url.as_ref().is_some_and(|url| matches!(url.scheme(), "http" | "https"));
        let path = url.as_ref().filter(|_| is_web).map_or("", Url::path);
        let origin = url.as_ref().filter(|_| is_web).map_or("", |url| &url[..url::Position::BeforePath]);
        let (origin, folder) = (origin.to_owned(), path[..path.rfind('/').map_or(0, |at| at + 1)].to_owned());
        Self { url, origin, folder }
    }

    /// Returns the absolute URL of a target written in an attribute. Only handles paths of plain characters on the
    /// page's host, without character references. If two such targets differ and start with a slash that no point
    /// follows, their URLs differ too.
    pub(super) fn resolve_written(&self, target: &[u8]) -> Option<String> {
        self.resolve_path(target, ANYWHERE | REFERENCE)
    }

    /// Returns whether a URL is on the host that relative targets are resolved against.
    pub(super) fn has_host_of(&self, url: &str) -> bool {
        !self.origin.is_empty() && url.starts_with(&self.origin)
    }

    /// Returns the absolute URL of a target, without its fragment.
    pub(super) fn resolve(&self, target: &str) -> Option<String> {
        // Plain characters include neither `#` nor white space, so most targets needn't be searched for them.
        if let Some(url) = self.resolve_path(target.as_bytes(), ANYWHERE) {
            return Some(url);
        }
        let target = target.split('#').next().unwrap_or_default().trim();
        if let Some(url) = self.resolve_path(target.as_bytes(), ANYWHERE) {
            return Some(url);
        }
        let mut url = match &self.url {
            Some(base) => base.join(target).ok()?,
            None => Url::parse(target).ok()?,
        };
        url.set_fragment(None);
        Some(url.into())
    }

    /// Resolves a target that is either a path of plain characters, with `../` only at its start, or an absolute URL on
    /// this host. `anywhere` contains the classes of the characters that are not plain.
    fn resolve_path(&self, target: &[u8], anywhere: u8) -> Option<String> {
        if self.origin.is_empty() {
            return None;
        }
        let (mut folder, mut rest) = match target {
            [b'/', rest @ ..] => ("/", rest),
            [b'h', ..] => match target.strip_prefix(self.origin.as_bytes()) {
                Some([b'/', rest @ ..]) => ("/", rest),
                _ => (&*self.folder, target),
            },
            _ => (&*self.folder, target),
        };
        while let Some(inner) = rest.strip_prefix(b"../") {
            rest = inner;
            let outer = folder[..folder.len().saturating_sub(1)].rfind('/').map_or(1, |at| at + 1);
            folder = &folder[..outer];
        }
        if rest.is_empty() && target.is_empty() {
            return None;
        }
        // Two slashes at the start would introduce a host, and a point after a slash can be part of `..`.
        let (mut classes, mut before) = (0, anywhere | AFTER_SLASH);
        for &byte in rest {
            let class = CLASS[byte as usize];
            classes |= class & before;
            before = if byte == b'/' { anywhere | AFTER_SLASH } else { anywhere };
        }
        if classes != 0 {
            return None;
        }
        let mut url = String::with_capacity(self.origin.len() + folder.len() + rest.len());
        url.push_str(&self.origin);
        url.push_str(folder);
        url.push_str(std::str::from_utf8(rest).ok()?);
        Some(url)
    }
}

/// Marks bytes that aren't plain anywhere.
const ANYWHERE: u8 = 1;
/// Marks bytes that aren't plain after a slash. They include all bytes marked [`ANYWHERE`].
const AFTER_SLASH: u8 = 2;
/// Marks the byte that can start a character reference.
const REFERENCE: u8 = 4;

/// For each byte, the places where it is not plain.
const CLASS: [u8; 256] = {
    let mut class = [ANYWHERE | AFTER_SLASH; 256];
    let mut byte = 0;
    while byte < 128_u8 {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'~' | b'=' | b'&' | b',' | b'+') {
            class[byte as usize] = 0;
        }
        byte += 1;
    }
    class[b'&' as usize] = REFERENCE;
    class[b'/' as usize] = AFTER_SLASH;
    class[b'.' as usize] = AFTER_SLASH;
    class
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use url::Url;

    use super::Base;

    const PARTS: [&str; 25] = [
        "a",
        "b.html",
        "/",
        "//",
        ".",
        "..",
        "../",
        "./",
        "?",
        "q=1",
        "&",
        "#",
        "%2e",
        "é",
        " ",
        ":",
        "http:",
        "\\",
        "~x",
        "{",
        "e.com",
        "\t",
        "https://e.com",
        "https://e.com/",
        "https://u:p@e.com/",
    ];

    proptest! {
        #[test]
        fn resolves_as_the_parser_does(
            parts in proptest::collection::vec(0..PARTS.len(), 0..8),
            base in proptest::sample::select(vec![
                "https://e.com/", "https://e.com/a/b/c.html?x=/y/", "http://e.com:81/a/", "https://u:p@e.com/a/b",
                "https://e.com/a//b", "data:x", "ftp://e.com/a/b",
            ]),
        ) {
            let target: String = parts.iter().map(|&part| PARTS[part]).collect();
            let expected = Url::parse(base).unwrap().join(target.split('#').next().unwrap()).ok().map(|mut url| {
                url.set_fragment(None);
                String::from(url)
            });
            let base = Base::new(base, None);
            if let Some(url) = base.resolve_written(target.as_bytes()) {
                prop_assert!(base.has_host_of(&url) && !target.contains('&'), "{}", target);
                prop_assert_eq!(Some(&url), expected.as_ref());
            }
            prop_assert_eq!(base.resolve(&target), expected, "{} {:?}", target, base);
        }
    }

    #[test]
    fn base_elements() {
        for (base, expected) in [
            (Some("/b/c"), "https://e.com/b/x"),
            (Some("//other.com/b/"), "https://other.com/b/x"),
            (Some("data:text/html,"), "https://e.com/a/x"),
            (Some("http://["), "https://e.com/a/x"),
            (None, "https://e.com/a/x"),
        ] {
            assert_eq!(Base::new("https://e.com/a/", base).resolve("x").as_deref(), Some(expected));
        }
    }
}
