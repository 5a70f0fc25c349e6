//! Finds an element's vocabulary by namespace, even if the namespace is misspelt.

use std::str;

use sitemap_core::Dialect;

/// The vocabularies that the reader distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    /// The vocabulary of the document's root, which is that of the protocol or of a feed.
    Core,
    Image,
    Video,
    News,
    Xhtml,
    /// Any other vocabulary. The reader doesn't interpret elements from it.
    Foreign,
}

/// The vocabulary that a namespace URI identifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Uri {
    pub(super) space: Space,
    /// True if the URI is spelled exactly as in its specification.
    pub(super) exact: bool,
    pub(super) dialect: Option<Dialect>,
}

const NAMESPACES: [(&str, Space); 7] = [
    ("http://www.google.com/schemas/sitemap-image/1.1", Space::Image),
    ("http://www.google.com/schemas/sitemap-video/1.1", Space::Video),
    ("http://www.google.com/schemas/sitemap-video/1.0", Space::Video),
    ("http://www.google.com/schemas/sitemap-news/0.9", Space::News),
    ("http://www.google.com/schemas/sitemap-news/0.84", Space::News),
    ("http://www.w3.org/1999/xhtml", Space::Xhtml),
    ("http://www.w3.org/2005/Atom", Space::Foreign),
];

/// The namespaces of items and dates in feeds based on RDF.
const RDF_FEED: [&str; 3] = [
    "http://purl.org/rss/1.0/",
    "http://my.netscape.com/rdf/simple/0.9/",
    "http://purl.org/dc/elements/1.1/",
];

/// Returns the vocabulary of a well-known prefix, regardless of the namespace that it is bound to.
///
/// An `image:loc` must never be read as the page's URL, even if `image` is bound to the sitemap's own namespace or
/// isn't bound at all.
fn by_prefix(prefix: &[u8]) -> Option<Space> {
    Some(match prefix {
        b"image" => Space::Image,
        b"video" => Space::Video,
        b"news" => Space::News,
        b"xhtml" => Space::Xhtml,
        b"mobile" | b"geo" | b"codesearch" | b"pagemap" | b"media" | b"rs" => Space::Foreign,
        _ => return None,
    })
}

/// Recognises a namespace as specified, or with a common misspelling such as `https`, a missing `www` or a trailing
/// slash.
pub(super) fn classify(uri: &str) -> Uri {
    for dialect in [Dialect::V0_9, Dialect::V0_84] {
        if uri == dialect.namespace() {
            return Uri { space: Space::Core, exact: true, dialect: Some(dialect) };
        }
    }
    if let Some(&(_, space)) = NAMESPACES.iter().find(|(exact, _)| *exact == uri) {
        return Uri { space, exact: true, dialect: None };
    }
    let lower = uri.trim().to_ascii_lowercase();
    let has = |part: &str| lower.contains(part);
    let (space, dialect) = if has("sitemap-image") {
        (Space::Image, None)
    } else if has("sitemap-video") {
        (Space::Video, None)
    } else if has("sitemap-news") {
        (Space::News, None)
    } else if has("w3.org/1999/xhtml") {
        (Space::Xhtml, None)
    } else if has("/sitemap/0.84") {
        (Space::Core, Some(Dialect::V0_84))
    } else if (has("sitemaps.org/") || has("google.com/schema")) && has("/sitemap/0.9") {
        (Space::Core, Some(Dialect::V0_9))
    } else {
        (Space::Foreign, None)
    };
    Uri { space, exact: false, dialect }
}

/// The namespaces in scope.
#[derive(Debug, Default)]
pub(super) struct Namespaces {
    bindings: Vec<Binding>,
    /// The prefix of the root element's name.
    root_prefix: Vec<u8>,
    /// The root's namespace, or an empty string if it has none.
    root_uri: String,
    root_dialect: Option<Dialect>,
}

#[derive(Debug)]
struct Binding {
    prefix: Vec<u8>,
    space: Space,
    uri: String,
    exact: bool,
    dialect: Option<Dialect>,
}

impl Binding {
    /// Returns `true` if this binding declares the prefix.
    ///
    /// Most prefixes are empty. Two empty prefixes are not compared byte by byte, because that is very slow on some
    /// processors.
    #[inline]
    fn is_of(&self, prefix: &[u8]) -> bool {
        self.prefix.len() == prefix.len() && (prefix.is_empty() || self.prefix == prefix)
    }
}

/// An element's vocabulary, and a problem with its namespace declaration, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Resolved {
    pub(super) space: Space,
    pub(super) problem: Option<SpaceProblem>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SpaceProblem {
    /// The prefix is not declared.
    Undeclared,
    /// An extension's namespace is misspelt, or its usual prefix is bound to another namespace.
    Extension,
    /// A sitemap element has no namespace.
    Missing,
    /// A sitemap element is in another dialect than the root element.
    Dialect,
}

impl Namespaces {
    /// Returns the number of bindings. Pass it to [`restore`](Self::restore) to remove the bindings added after this
    /// call.
    pub(super) fn mark(&self) -> usize {
        self.bindings.len()
    }

    /// Removes all bindings except the first `mark`.
    pub(super) fn restore(&mut self, mark: usize) {
        self.bindings.truncate(mark);
    }

    /// Adds the binding that an attribute declares, if it declares one.
    pub(super) fn declare(&mut self, name: &[u8], value: &str) {
        let prefix: &[u8] = match name {
            b"xmlns" => b"",
            [b'x', b'm', b'l', b'n', b's', b':', prefix @ ..] => prefix,
            _ => return,
        };
        let mut uri = classify(value);
        let value = value.trim();
        if uri.space == Space::Foreign && !value.is_empty() && value == self.root_uri {
            uri.space = Space::Core;
        }
        self.bindings.push(Binding {
            prefix: prefix.to_vec(),
            space: uri.space,
            uri: value.to_owned(),
            exact: uri.exact,
            dialect: uri.dialect,
        });
    }

    /// Treats the root's namespace as the core vocabulary, even if it is unknown. Returns `true` if it is exactly the
    /// namespace of a dialect.
    pub(super) fn set_root(&mut self, name: &[u8]) -> bool {
        let (prefix, local) = split(name);
        self.root_prefix = prefix.to_vec();
        if local == b"RDF" {
            // In RSS 0.90 and 1.0, the items have a different namespace than the root.
            let of_items = self.bindings.iter_mut().filter(|binding| RDF_FEED.contains(&&*binding.uri));
            of_items.for_each(|binding| binding.space = Space::Core);
        }
        let Some(binding) = self.bindings.iter_mut().rev().find(|binding| binding.is_of(prefix)) else {
            return false;
        };
        binding.uri.clone_into(&mut self.root_uri);
        self.root_dialect = binding.dialect;
        if binding.space == Space::Foreign {
            binding.space = Space::Core;
        }
        binding.exact && binding.dialect.is_some()
    }

    /// Returns all declared prefixes. A prefix may occur several times.
    pub(super) fn prefixes(&self) -> impl Iterator<Item = &[u8]> {
        self.bindings.iter().map(|binding| &*binding.prefix)
    }

    pub(super) fn root_prefix(&self) -> &[u8] {
        &self.root_prefix
    }

    /// Returns the root's namespace, or an empty string if it has none.
    pub(super) fn root_uri(&self) -> &str {
        &self.root_uri
    }

    /// Returns the dialect that the root's namespace belongs to, if any.
    pub(super) const fn root_dialect(&self) -> Option<Dialect> {
        self.root_dialect
    }

    /// Returns the vocabulary of an element with this name.
    pub(super) fn resolve(&self, name: &[u8]) -> Resolved {
        let (prefix, _) = split(name);
        let binding = self.bindings.iter().rev().find(|binding| binding.is_of(prefix));
        let fine = |space| Resolved { space, problem: None };
        match (binding, by_prefix(prefix)) {
            (Some(binding), Some(usual)) => {
                let is_known = !matches!(binding.space, Space::Core | Space::Foreign);
                if is_known || usual == Space::Foreign {
                    let space = if is_known { binding.space } else { usual };
                    let problem = (is_known && !binding.exact).then_some(SpaceProblem::Extension);
                    return Resolved { space, problem };
                }
                Resolved { space: usual, problem: Some(SpaceProblem::Extension) }
            }
            (Some(binding), None) if binding.uri.is_empty() => Resolved {
                space: if prefix.is_empty() { Space::Core } else { Space::Foreign },
                problem: Some(SpaceProblem::Missing),
            },
            (Some(binding), None) => {
                let is_extension = !matches!(binding.space, Space::Core | Space::Foreign);
                let is_mixed = binding.dialect.is_some()
                    && self.root_dialect.is_some()
                    && binding.dialect != self.root_dialect;
                let problem = if is_mixed {
                    Some(SpaceProblem::Dialect)
                } else {
                    (is_extension && !binding.exact).then_some(SpaceProblem::Extension)
                };
                Resolved { space: binding.space, problem }
            }
            (None, Some(usual)) => Resolved { space: usual, problem: Some(SpaceProblem::Undeclared) },
            // In a document without namespaces, only the root gets a finding.
            (None, None) if prefix.is_empty() && self.root_prefix.is_empty() => fine(Space::Core),
            (None, None) if prefix.is_empty() => {
                Resolved { space: Space::Core, problem: Some(SpaceProblem::Missing) }
            }
            (None, None) if prefix == self.root_prefix => fine(Space::Core),
            (None, None) => Resolved { space: Space::Foreign, problem: Some(SpaceProblem::Undeclared) },
        }
    }

    /// Returns the namespace of an element with this name, if it is declared.
    pub(super) fn uri(&self, name: &[u8]) -> Option<&str> {
        self.uri_of(split(name).0)
    }

    /// Returns the namespace that a prefix is bound to, if any.
    pub(super) fn uri_of(&self, prefix: &[u8]) -> Option<&str> {
        let binding = self.bindings.iter().rev().find(|binding| binding.is_of(prefix))?;
        (!binding.uri.is_empty()).then_some(&*binding.uri)
    }

    /// Returns `true` if elements without a prefix are in [`Space::Core`] and their namespace has no problem.
    pub(super) fn unprefixed_is_core(&self) -> bool {
        let resolved = self.resolve(b"url");
        resolved.space == Space::Core && resolved.problem.is_none()
    }
}

/// Splits a name into prefix and local name.
pub(super) fn split(name: &[u8]) -> (&[u8], &[u8]) {
    // Names are so short that a loop is faster than `memchr`.
    match name.iter().position(|&byte| byte == b':') {
        Some(colon) => (&name[..colon], &name[colon + 1..]),
        None => (b"", name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_seen_in_the_wild_are_recognised() {
        for uri in [
            "http://www.sitemaps.org/schemas/sitemap/0.9",
            "https://www.sitemaps.org/schemas/sitemap/0.9",
            "http://www.sitemaps.org/schemas/sitemap/0.9/",
            "http://sitemaps.org/schemas/sitemap/0.9",
            "http://www.sitemaps.org/schema/sitemap/0.9",
            "http://www.google.com/schemas/sitemap/0.9",
            "http://www.google.com/schemas/sitemap/0.90",
            " HTTP://www.Sitemaps.org/schemas/sitemap/0.9",
        ] {
            let found = classify(uri);
            assert_eq!((found.space, found.dialect), (Space::Core, Some(Dialect::V0_9)), "{uri}");
        }
        for uri in ["http://www.google.com/schemas/sitemap/0.84", "https://google.com/schemas/sitemap/0.84/"]
        {
            assert_eq!(classify(uri).dialect, Some(Dialect::V0_84), "{uri}");
        }
        assert_eq!(classify("https://www.google.com/schemas/sitemap-image/1.1/").space, Space::Image);
        assert_eq!(classify("http://example.com/").space, Space::Foreign);
    }

    #[test]
    fn a_usual_prefix_is_never_the_core() {
        let mut names = Namespaces::default();
        names.declare(b"xmlns", "http://www.sitemaps.org/schemas/sitemap/0.9");
        names.declare(b"xmlns:image", "http://www.sitemaps.org/schemas/sitemap/0.9");
        assert_eq!(names.resolve(b"loc").space, Space::Core);
        assert_eq!(names.resolve(b"image:loc").space, Space::Image);
        assert_eq!(names.resolve(b"video:loc").space, Space::Video);
        assert_eq!(names.resolve(b"x:loc").space, Space::Foreign);
    }
}
