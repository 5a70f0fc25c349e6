//! The reader's state within an XML document.

use sitemap_core::Dialect;
use sitemap_core::reading::KnownOrigin;

use super::document::DocumentKind;
use super::fast_extensions::{Origins, Outline, Prefixes};
use super::limits::ReadLimits;
use super::namespace::Namespaces;
use super::position::Position;
use super::tree::{Collected, Context, Family};
use crate::rule::Rule;

#[derive(Debug, Default)]
pub(super) struct Xml {
    pub(super) names: Namespaces,
    pub(super) collected: Collected,
    /// The rules that have been reported and are reported only once per document.
    pub(super) reported: Vec<Rule>,
    /// The base URL for a feed's relative links.
    pub(super) feed_base: Option<String>,
    pub(super) kind: Option<DocumentKind>,
    /// The root's name as written. Empty if the document has no root.
    pub(super) root: Vec<u8>,
    pub(super) root_tag: Option<RootTag>,
    pub(super) is_closed: bool,
    /// The open elements between the root and the entries. Each item is an element's name and the number of namespaces
    /// in scope before it.
    pub(super) around: Vec<(Vec<u8>, usize)>,
    pub(super) is_fast: bool,
    /// The prefixes that the fast path for extensions understands. `None` if the fast path is off.
    pub(super) prefixes: Option<Prefixes>,
    /// The current entry's extensions, if the fast path has read them.
    pub(super) outline: Outline,
    pub(super) origins: Origins,
    pub(super) known_origin: KnownOrigin,
    /// True if the previous entry ended at a second `loc`, so that the end tag of its `url` has yet to come.
    pub(super) is_continued: bool,
}

impl Xml {
    pub(super) const fn family(&self) -> Family {
        match self.kind {
            Some(DocumentKind::Rss | DocumentKind::Atom) => Family::Feed,
            _ => Family::Sitemap,
        }
    }

    /// Builds the tree of an entry that was read by the fast path.
    #[cold]
    pub(super) fn collect(&mut self, entry: &[u8], limits: &ReadLimits) {
        let context = Context { family: self.family(), root: &self.root, limits, at_end: true };
        let mark = self.names.mark();
        // The fast path only reads complete entries within the limits, so the tree is always complete.
        self.collected.collect(entry, 0, &mut self.names, &context);
        self.names.restore(mark);
    }

    /// Returns the protocol's dialect, if the root's namespace belongs to one. A feed has no dialect.
    pub(super) fn dialect(&self) -> Option<Dialect> {
        self.names.root_dialect().filter(|_| self.family() == Family::Sitemap)
    }
}

/// A document's root tag, as written.
#[derive(Debug)]
pub(super) struct RootTag {
    pub(super) start: Position,
    pub(super) bytes: Vec<u8>,
    /// The offset in `bytes` where the root's name ends.
    pub(super) name_end: usize,
}
