//! Elements of any other namespace.

use std::borrow::Cow;

use super::error::{ExtensionError, ExtensionErrorKind, excerpt};
use super::text::{allowed, owned};

/// A namespace that this crate knows nothing of, and the prefix of its elements.
///
/// ```
/// use sitemap_core::extension::Namespace;
///
/// let baidu = Namespace::new("mobile", "http://www.baidu.com/schemas/sitemap-mobile/1/")?;
/// assert_eq!(baidu.prefix(), "mobile");
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Namespace<'a> {
    prefix: Cow<'a, str>,
    uri: Cow<'a, str>,
}

impl<'a> Namespace<'a> {
    /// A namespace by its URI, and the prefix that documents declare for it.
    ///
    /// # Errors
    ///
    /// If the prefix is no XML name, begins with `xml` or is one of this crate's own (`image`,
    /// `video`, `news`, `xhtml`), or the URI is empty or has white space or characters that XML
    /// forbids.
    pub fn new(
        prefix: impl Into<Cow<'a, str>>,
        uri: impl Into<Cow<'a, str>>,
    ) -> Result<Self, ExtensionError> {
        let (prefix, uri) = (prefix.into(), uri.into());
        let taken = super::NAMESPACES.iter().any(|(_, own, _)| *own == prefix);
        let is_reserved = prefix.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("xml"));
        if !is_name(&prefix) || taken || is_reserved {
            return Err(ExtensionError::new(
                "xmlns",
                ExtensionErrorKind::Form,
                "must have a prefix that is an XML name, does not begin with `xml` and is not one of \
                 `image`, `video`, `news` and `xhtml`",
                excerpt(&prefix),
            ));
        }
        if uri.is_empty() || uri.contains(char::is_whitespace) {
            let expected = "must be a URI without white space";
            return Err(ExtensionError::new("xmlns", ExtensionErrorKind::Form, expected, excerpt(&uri)));
        }
        allowed("xmlns", &uri)?;
        Ok(Self { prefix, uri })
    }

    /// XML's own namespace, of attributes like `xml:lang`; it needs no declaration.
    ///
    /// Source: [Namespaces in XML](https://www.w3.org/TR/xml-names/#ns-decl).
    pub const fn xml() -> Namespace<'static> {
        Namespace { prefix: Cow::Borrowed("xml"), uri: Cow::Borrowed("http://www.w3.org/XML/1998/namespace") }
    }

    pub(crate) fn is_xml(&self) -> bool {
        self.prefix == "xml"
    }

    /// The prefix.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// The URI.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// The same namespace, independent of what it was made from.
    pub fn into_owned(self) -> Namespace<'static> {
        Namespace { prefix: owned(self.prefix), uri: owned(self.uri) }
    }
}

/// An element of any other namespace, with attributes, texts and elements in it.
///
/// Names are checked when it is built, and texts are escaped when it is written. Documents declare
/// its namespace on their root element: name it in the
/// [options](crate::WriteOptions::namespace) of the writer or publisher.
///
/// ```
/// use sitemap_core::{Entry, Loc};
/// use sitemap_core::extension::{Element, Namespace};
///
/// let baidu = Namespace::new("mobile", "http://www.baidu.com/schemas/sitemap-mobile/1/")?;
/// let mobile = Element::new(baidu, "mobile")?.with_attribute("type", "pc,mobile")?;
/// let entry = Entry::new(Loc::parse("https://example.com/")?).with_elements(vec![mobile]);
/// assert_eq!(entry.elements()[0].attribute("type"), Some("pc,mobile"));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Element<'a> {
    namespace: Namespace<'a>,
    name: Cow<'a, str>,
    attributes: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    qualified: Vec<(Namespace<'a>, Cow<'a, str>, Cow<'a, str>)>,
    content: Vec<Node<'a>>,
}

/// What stands in an [`Element`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Node<'a> {
    /// A text, not escaped.
    Text(Cow<'a, str>),
    /// An element.
    Element(Element<'a>),
}

impl<'a> Element<'a> {
    /// How deep elements may stand within each other.
    pub const MAX_DEPTH: usize = 32;

    /// An empty element by its name without the prefix.
    ///
    /// # Errors
    ///
    /// If the name is no XML name.
    pub fn new(namespace: Namespace<'a>, name: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        let name = checked_name("element name", name.into())?;
        Ok(Self { namespace, name, attributes: Vec::new(), qualified: Vec::new(), content: Vec::new() })
    }

    /// Adds an attribute without a namespace, whose name has no prefix.
    ///
    /// # Errors
    ///
    /// If the name is no XML name or was given before, or the value has a character that XML forbids.
    pub fn with_attribute(
        mut self,
        name: impl Into<Cow<'a, str>>,
        value: impl Into<Cow<'a, str>>,
    ) -> Result<Self, ExtensionError> {
        let (name, value) = (checked_name("attribute name", name.into())?, value.into());
        // Unprefixed, it would declare a namespace.
        if name == "xmlns" || self.attribute(&name).is_some() {
            return Err(ExtensionError::new(
                "attribute name",
                ExtensionErrorKind::Form,
                "must be given once and not be `xmlns`",
                excerpt(&name),
            ));
        }
        allowed(self.title(), &value)?;
        self.attributes.push((name, value));
        Ok(self)
    }

    /// Adds an attribute of a namespace, whose name is written with its prefix.
    ///
    /// ```
    /// use sitemap_core::extension::{Element, Namespace};
    ///
    /// let own = Namespace::new("x", "urn:example:x")?;
    /// let element = Element::new(own, "note")?.with_qualified_attribute(Namespace::xml(), "lang", "de")?;
    /// let (namespace, name, value) = element.qualified_attributes().next().unwrap();
    /// assert_eq!((namespace.prefix(), name, value), ("xml", "lang", "de"));
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the name is no XML name or was given before in this namespace, or the value has a character
    /// that XML forbids.
    pub fn with_qualified_attribute(
        mut self,
        namespace: Namespace<'a>,
        name: impl Into<Cow<'a, str>>,
        value: impl Into<Cow<'a, str>>,
    ) -> Result<Self, ExtensionError> {
        let (name, value) = (checked_name("attribute name", name.into())?, value.into());
        if self.qualified.iter().any(|(of, taken, _)| of.uri == namespace.uri && *taken == name) {
            let expected = "must be given once in a namespace";
            let found = excerpt(&name);
            return Err(ExtensionError::new("attribute name", ExtensionErrorKind::Form, expected, found));
        }
        allowed(self.title(), &value)?;
        self.qualified.push((namespace, name, value));
        Ok(self)
    }

    /// Adds a text.
    ///
    /// # Errors
    ///
    /// If it has a character that XML forbids.
    pub fn with_text(mut self, text: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        let text = text.into();
        allowed(self.title(), &text)?;
        self.content.push(Node::Text(text));
        Ok(self)
    }

    /// Adds an element, of this or another namespace.
    ///
    /// # Errors
    ///
    /// If more than 32 elements would stand within each other.
    pub fn with_child(mut self, child: Element<'a>) -> Result<Self, ExtensionError> {
        let depth = 1 + child.depth();
        if depth > Self::MAX_DEPTH {
            let expected = format!("must not be more than {} elements deep", Self::MAX_DEPTH);
            let found = depth.to_string();
            return Err(ExtensionError::new(self.title(), ExtensionErrorKind::TooMany, expected, found));
        }
        self.content.push(Node::Element(child));
        Ok(self)
    }

    /// Gives a namespace another prefix, wherever the element or what is in it belongs to it.
    ///
    /// ```
    /// use sitemap_core::extension::{Element, Namespace};
    ///
    /// let element = Element::new(Namespace::new("ns", "urn:example:x")?, "note")?;
    /// let element = element.with_prefix(&Namespace::new("x", "urn:example:x")?);
    /// assert_eq!(element.namespace().prefix(), "x");
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn with_prefix(mut self, of: &Namespace<'a>) -> Self {
        self.set_prefix(of);
        self
    }

    fn set_prefix(&mut self, of: &Namespace<'a>) {
        let attributes = self.qualified.iter_mut().map(|(namespace, ..)| namespace);
        for namespace in std::iter::once(&mut self.namespace).chain(attributes) {
            if namespace.uri == of.uri {
                namespace.prefix.clone_from(&of.prefix);
            }
        }
        for node in &mut self.content {
            if let Node::Element(child) = node {
                child.set_prefix(of);
            }
        }
    }

    /// Its namespace.
    pub const fn namespace(&self) -> &Namespace<'a> {
        &self.namespace
    }

    /// Its name without the prefix.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its attributes without a namespace, names and values.
    pub fn attributes(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.attributes.iter().map(|(name, value)| (&**name, &**value))
    }

    /// Its attributes of namespaces, with names and values.
    pub fn qualified_attributes(&self) -> impl ExactSizeIterator<Item = (&Namespace<'a>, &str, &str)> {
        self.qualified.iter().map(|(namespace, name, value)| (namespace, &**name, &**value))
    }

    /// The value of an attribute without a namespace.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes().find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    /// The texts and elements in it.
    #[must_use]
    pub fn content(&self) -> &[Node<'a>] {
        &self.content
    }

    /// The elements in it.
    pub fn children(&self) -> impl Iterator<Item = &Element<'a>> {
        self.content.iter().filter_map(|content| match content {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    /// The same element, independent of what it was made from.
    pub fn into_owned(self) -> Element<'static> {
        Element {
            namespace: self.namespace.into_owned(),
            name: owned(self.name),
            attributes: self
                .attributes
                .into_iter()
                .map(|(name, value)| (owned(name), owned(value)))
                .collect(),
            qualified: self
                .qualified
                .into_iter()
                .map(|(namespace, name, value)| (namespace.into_owned(), owned(name), owned(value)))
                .collect(),
            content: self.content.into_iter().map(Node::into_owned).collect(),
        }
    }

    fn depth(&self) -> usize {
        1 + self.children().map(Element::depth).max().unwrap_or_default()
    }

    /// The name as it is written.
    fn title(&self) -> String {
        format!("{}:{}", self.namespace.prefix, self.name)
    }
}

impl Node<'_> {
    fn into_owned(self) -> Node<'static> {
        match self {
            Node::Text(text) => Node::Text(owned(text)),
            Node::Element(element) => Node::Element(element.into_owned()),
        }
    }
}

fn checked_name<'a>(what: &'static str, name: Cow<'a, str>) -> Result<Cow<'a, str>, ExtensionError> {
    if is_name(&name) {
        return Ok(name);
    }
    let expected = "must be an XML name without a prefix: letters, digits, `-`, `_` and `.`, beginning \
                    with a letter or `_`";
    Err(ExtensionError::new(what, ExtensionErrorKind::Form, expected, excerpt(&name)))
}

/// Whether a text is a name without a colon.
///
/// Source: [Namespaces in XML, `NCName`](https://www.w3.org/TR/xml-names/#NT-NCName).
fn is_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(is_name_start) && chars.all(is_name_char)
}

const fn is_name_start(c: char) -> bool {
    matches!(c,
        'A'..='Z' | '_' | 'a'..='z' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}'
        | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}'
        | '\u{2070}'..='\u{218F}' | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}'
        | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}' | '\u{10000}'..='\u{EFFFF}')
}

const fn is_name_char(c: char) -> bool {
    is_name_start(c)
        || matches!(c, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}
