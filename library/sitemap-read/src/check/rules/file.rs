//! The rules about a file as a whole: its root element, name and size, and whether it can be read to the end.

use sitemap_core::{Dialect, Loc};

use super::visit::Facts;
use crate::check::sink::Sink;
use crate::read::{Document, DocumentKind, ReadError, ReadErrorKind, SitemapReader, Span};
use crate::rule::Rule;

/// The name and size of a file.
pub(super) struct FileRules {
    /// The URL without its query, or the name that the caller gave the file.
    name: Box<str>,
    is_served: bool,
    max_bytes: u64,
    /// The first entry that ends beyond the size limit.
    too_large: Option<Span>,
}

impl FileRules {
    pub(super) fn new(name: &str, served_at: Option<&Loc<'_>>, document: Option<Document>) -> Self {
        let path = served_at.map(|loc| loc.as_str().split(['?', '#']).next().unwrap_or_default());
        let dialect: Dialect = document.and_then(|document| document.dialect).unwrap_or_default();
        Self {
            name: path.unwrap_or(name).into(),
            is_served: served_at.is_some(),
            max_bytes: dialect.limits().bytes,
            too_large: None,
        }
    }

    /// Checks the root element and the file name.
    pub(super) fn start(&self, facts: &Facts, reader: &SitemapReader<'_>, sink: &mut Sink<'_>) {
        let Some(document) = facts.document else { return };
        let root = reader.root_span().unwrap_or(Span::START);
        if self.has_extension(".gz") && !document.gzip {
            sink.add_found(Rule::GzipName, Span::START, &self.name);
        }
        match document.kind {
            DocumentKind::UrlSet | DocumentKind::Index => {
                reader.inspect_root(&mut |note| sink.note(&note));
                if !facts.root_prefix.is_empty() {
                    sink.add_found(Rule::RootPrefixed, root, &String::from_utf8_lossy(&facts.root_prefix));
                }
            }
            DocumentKind::Text => {
                let is_named = self.has_extension(".txt") || self.has_extension(".txt.gz");
                if self.is_served && !is_named {
                    sink.add_found(Rule::TextName, Span::START, &self.name);
                }
            }
            _ => {
                sink.add(Rule::FeedUnsupported, root);
                let namespace = reader.root_namespace();
                if namespace.contains("purl.org/atom/ns") {
                    sink.add_found(Rule::FeedAtom03, root, namespace);
                }
            }
        }
    }

    fn has_extension(&self, extension: &str) -> bool {
        let (name, extension) = (self.name.as_bytes(), extension.as_bytes());
        name.len() >= extension.len() && name[name.len() - extension.len()..].eq_ignore_ascii_case(extension)
    }

    /// Records the first entry that ends beyond the size limit.
    #[inline]
    pub(super) fn measure(&mut self, end: u64, span: impl FnOnce() -> Span) {
        if self.too_large.is_none() && end > self.max_bytes {
            self.too_large = Some(span());
        }
    }

    /// Checks the document's size and that it has entries.
    pub(super) fn end(&self, facts: &Facts, reader: &SitemapReader<'_>, sink: &mut Sink<'_>) {
        let bytes = reader.position().offset;
        if bytes > self.max_bytes {
            let span = self.too_large.unwrap_or_else(|| Span::new(reader.position(), 0));
            sink.add_with(Rule::TooLarge, span, || {
                format!("the file has more than {} bytes, found {bytes}", self.max_bytes)
            });
        }
        if facts.document.is_some() && reader.entries() == 0 {
            sink.add(Rule::EmptySitemap, reader.root_span().unwrap_or(Span::START));
        }
    }
}

/// Reports an error as a finding if the document caused it. Returns all other errors, such as a failed connection.
pub(crate) fn unreadable(error: ReadError, sink: &mut Sink<'_>) -> Result<(), ReadError> {
    let rule = match error.kind() {
        ReadErrorKind::Io(_) | ReadErrorKind::Aborted | ReadErrorKind::Source(_) => return Err(error),
        ReadErrorKind::Empty => Rule::FileEmpty,
        ReadErrorKind::Html => Rule::FileHtml,
        ReadErrorKind::UnknownRoot(_) | ReadErrorKind::NotASitemap(_) => Rule::FileUnknown,
        ReadErrorKind::Limit { limit: "bytes", .. } => Rule::TooLarge,
        ReadErrorKind::Limit { .. } => Rule::ReadLimit,
        _ => Rule::FileUnreadable,
    };
    // The remedy comes from the rule, because whoever reads the finding may not be able to change the reader's limits.
    sink.add_with(rule, Span::new(error.position(), 0), || match error.kind() {
        ReadErrorKind::Limit { limit: "bytes", max } => {
            format!("the document has more than {max} bytes, so the rest was not read")
        }
        ReadErrorKind::Limit { limit, max } => format!("the document exceeds the limit `{limit}` of {max}"),
        _ => error.to_string(),
    });
    Ok(())
}
