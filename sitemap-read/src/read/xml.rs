//! What is known of an XML document while its entries are read.

use sitemap_core::__read::KnownOrigin;
use sitemap_core::Dialect;

use super::collect::{Collected, Family};
use super::document::DocumentKind;
use super::namespace::Namespaces;
use super::position::Position;
use crate::rule::Rule;

/// What is known of an XML document while its entries are read.
#[derive(Debug, Default)]
pub(super) struct Xml {
    pub(super) names: Namespaces,
    pub(super) collected: Collected,
    pub(super) dialect: Option<Dialect>,
    /// Rules that are said once a document.
    pub(super) said: Vec<Rule>,
    /// What a feed's relative links are relative to.
    pub(super) feed_base: Option<String>,
    pub(super) kind: Option<DocumentKind>,
    /// The root's name as it stands there; empty if it is missing.
    pub(super) root: Vec<u8>,
    pub(super) root_tag: Option<RootTag>,
    pub(super) is_closed: bool,
    /// Names of open elements between the root and the entries, and what namespaces there were before.
    pub(super) around: Vec<(Vec<u8>, usize)>,
    pub(super) is_fast: bool,
    pub(super) known_origin: KnownOrigin,
    /// The previous entry ended at its second `loc`, so its own end tag is still to come.
    pub(super) is_continued: bool,
}

impl Xml {
    pub(super) const fn family(&self) -> Family {
        match self.kind {
            Some(DocumentKind::Rss | DocumentKind::Atom) => Family::Feed,
            _ => Family::Sitemap,
        }
    }
}

/// A document's root tag as it stands there.
#[derive(Debug)]
pub(super) struct RootTag {
    pub(super) start: Position,
    pub(super) bytes: Vec<u8>,
}
