//! The state of reading an XML document.

use sitemap_core::Dialect;
use sitemap_core::reading::KnownOrigin;

use super::document::DocumentKind;
use super::fast_extensions::{Origins, Outline, Prefixes};
use super::limits::ReadLimits;
use super::namespace::Namespaces;
use super::position::Position;
use super::tree::{Collected, Context, Family};
use crate::rule::Rule;

/// The state of reading an XML document.
#[derive(Debug, Default)]
pub(super) struct Xml {
    pub(super) names: Namespaces,
    pub(super) collected: Collected,
    /// The already reported rules. Contains only rules that are reported once per document.
    pub(super) reported: Vec<Rule>,
    /// The base URL of a feed's relative links.
    pub(super) feed_base: Option<String>,
    pub(super) kind: Option<DocumentKind>,
    /// The name of the root as the document spells it. Empty if the document has no root.
    pub(super) root: Vec<u8>,
    pub(super) root_tag: Option<RootTag>,
    pub(super) is_closed: bool,
    /// The elements that are open between the root and the entries. Each item contains an element's name, and the
    /// number of namespaces that were in scope before the element.
    pub(super) around: Vec<(Vec<u8>, usize)>,
    pub(super) is_fast: bool,
    /// The prefixes of entries that the fast path for extensions reads. `None` if it reads no entries.
    pub(super) prefixes: Option<Prefixes>,
    /// The extensions of the current entry, if that fast path has read them.
    pub(super) outline: Outline,
    pub(super) origins: Origins,
    pub(super) known_origin: KnownOrigin,
    /// True if the previous entry ended at a second `loc`, so the end tag of its `url` is still to come.
    pub(super) is_continued: bool,
}

impl Xml {
    pub(super) const fn family(&self) -> Family {
        match self.kind {
            Some(DocumentKind::Rss | DocumentKind::Atom) => Family::Feed,
            _ => Family::Sitemap,
        }
    }

    /// Builds the tree of an entry that the fast path has read.
    #[cold]
    pub(super) fn collect(&mut self, entry: &[u8], limits: &ReadLimits) {
        let context = Context { family: self.family(), root: &self.root, limits, at_end: true };
        let mark = self.names.mark();
        // The fast path reads only complete entries within the limits, so the tree is complete.
        self.collected.collect(entry, 0, &mut self.names, &context);
        self.names.restore(mark);
    }

    /// Returns the dialect of the protocol, if the namespace of the root names one. A feed has no dialect.
    pub(super) fn dialect(&self) -> Option<Dialect> {
        self.names.root_dialect().filter(|_| self.family() == Family::Sitemap)
    }
}

/// A document's root tag, as the document spells it.
#[derive(Debug)]
pub(super) struct RootTag {
    pub(super) start: Position,
    pub(super) bytes: Vec<u8>,
    /// The offset in `bytes` at which the root's name ends.
    pub(super) name_end: usize,
}
