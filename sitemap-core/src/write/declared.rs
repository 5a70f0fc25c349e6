//! The namespace declarations on the root element of a document. Entries can only use declared extensions and
//! namespaces.

use super::options::WriteOptions;
use crate::dialect::Dialect;
use crate::entry::Entry;
use crate::error::{Error, ErrorKind};
use crate::extension::{Attached, Element, Extensions, Namespace, News};
use crate::value::LastMod;

/// The extensions and namespaces that a document declares.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    dialect: Dialect,
    pub(super) extensions: Extensions,
    namespaces: Vec<Namespace<'static>>,
    pub(super) deprecated: bool,
    news_since: Option<LastMod>,
    prolog: String,
}

impl Declared {
    pub(super) fn new(options: &WriteOptions) -> Self {
        Self {
            dialect: options.get_dialect(),
            extensions: options.get_extensions(),
            namespaces: options.get_namespaces().to_vec(),
            deprecated: options.writes_deprecated(),
            news_since: options.get_news_since(),
            prolog: options.prolog(),
        }
    }

    /// Adds the extensions that the first record may use.
    pub(super) fn add(&mut self, extensions: Extensions) -> Result<(), Error> {
        let extensions = self.extensions.union(extensions);
        if self.dialect == Dialect::V0_84 && (extensions != Extensions::NONE || !self.namespaces.is_empty()) {
            let prefixes = self.namespaces.iter().map(|namespace| namespace.prefix().into()).collect();
            return Err(ErrorKind::NoExtensions { extensions, prefixes }.into());
        }
        self.extensions = extensions;
        Ok(())
    }

    /// Returns everything before the first entry: the XML declaration, the link to the stylesheet (if any), and the
    /// start tag of the root element.
    pub(super) fn head(&self) -> String {
        let mut head = format!(
            "{}<urlset xmlns=\"{}\"{}",
            self.prolog,
            self.dialect.namespace(),
            self.extensions.declarations()
        );
        for namespace in &self.namespaces {
            let uri = super::escape::escaped(namespace.uri());
            head.extend([" xmlns:", namespace.prefix(), "=\"", &uri, "\""]);
        }
        head.push_str(">\n");
        head
    }

    /// Checks that an entry uses only declared extensions and namespaces.
    pub(super) fn check(&self, entry: &Entry<'_>, attached: &Attached<'_>) -> Result<(), Error> {
        let extensions = attached.extensions();
        if !self.extensions.contains(extensions) {
            let loc = entry.loc().as_str().into();
            return Err(ErrorKind::Undeclared { loc, extensions }.into());
        }
        match attached.elements.iter().find_map(|element| self.first_unknown(element)) {
            None => Ok(()),
            Some(namespace) => Err(ErrorKind::UndeclaredNamespace {
                loc: entry.loc().as_str().into(),
                prefix: namespace.prefix().into(),
                uri: namespace.uri().into(),
            }
            .into()),
        }
    }

    fn first_unknown<'e, 'a>(&self, element: &'e Element<'a>) -> Option<&'e Namespace<'a>> {
        let of_attributes = element.qualified_attributes().map(|(namespace, ..)| namespace);
        let mut own = std::iter::once(element.namespace()).chain(of_attributes);
        own.find(|namespace| !namespace.is_xml() && !self.namespaces.contains(namespace))
            .or_else(|| element.children().find_map(|child| self.first_unknown(child)))
    }

    /// Returns the news element of an entry, unless the article is older than [`WriteOptions::news_since`] allows.
    pub(super) fn fresh<'n, 'a>(&self, news: Option<&'n News<'a>>) -> Option<&'n News<'a>> {
        news.filter(|news| self.news_since.is_none_or(|moment| !news.is_before(moment)))
    }
}
