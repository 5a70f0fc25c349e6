//! Elements from namespaces that this crate does not define.

use std::borrow::Cow;

use super::error::{ExtensionError, ExtensionErrorKind, excerpt};
use super::text::{allowed, owned};

/// A namespace that this crate does not define, with the prefix of its elements.
///
/// ```
/// use sitemap_core::extension::Namespace;
///
/// let baidu = Namespace::new("mobile", "http://www.baidu.com/schemas/sitemap-mobile/1/")?;
/// assert_eq!(baidu.prefix(), "mobile");
/// assert_eq!(baidu.uri(), "http://www.baidu.com/schemas/sitemap-mobile/1/");
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Namespace<'a> {
    prefix: Cow<'a, str>,
    uri: Cow<'a, str>,
}

impl<'a> Namespace<'a> {
    /// Creates a namespace with this prefix and URI, as documents declare it.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the prefix is not an XML name, starts with `xml`, or is one of this crate's own
    /// prefixes (`image`, `video`, `news` and `xhtml`), or if the URI is empty or contains white space or a character
    /// that XML forbids.
    pub fn new(
        prefix: impl Into<Cow<'a, str>>,
        uri: impl Into<Cow<'a, str>>,
    ) -> Result<Self, ExtensionError> {
        let (prefix, uri) = (prefix.into(), uri.into());
        let is_taken = super::NAMESPACES.iter().any(|(_, own, _)| *own == prefix);
        let is_reserved = prefix.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("xml"));
        if !is_name(&prefix) || is_taken || is_reserved {
            return Err(ExtensionError::new(
                "xmlns",
                ExtensionErrorKind::Invalid,
                format!("has the prefix {}", excerpt(&prefix)),
                "use an XML name that does not start with `xml` and is not `image`, `video`, `news` or `xhtml`",
            ));
        }
        if uri.is_empty() || uri.contains(char::is_whitespace) {
            let found = format!("is {}", excerpt(&uri));
            let remedy = "write a URI without white space";
            return Err(ExtensionError::new("xmlns", ExtensionErrorKind::Invalid, found, remedy));
        }
        allowed("xmlns", &uri)?;
        Ok(Self { prefix, uri })
    }

    /// Returns XML's own namespace, for attributes such as `xml:lang`. Documents don't have to declare it.
    ///
    /// Source: [Namespaces in XML](https://www.w3.org/TR/xml-names/#ns-decl).
    pub const fn xml() -> Namespace<'static> {
        Namespace { prefix: Cow::Borrowed("xml"), uri: Cow::Borrowed("http://www.w3.org/XML/1998/namespace") }
    }

    pub(crate) fn is_xml(&self) -> bool {
        self.prefix == "xml"
    }

    /// Returns the prefix.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Returns the URI.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Copies the borrowed strings, so that the namespace owns all of its data.
    pub fn into_owned(self) -> Namespace<'static> {
        Namespace { prefix: owned(self.prefix), uri: owned(self.uri) }
    }
}

/// An element in a [`Namespace`] that this crate does not define, with its attributes, text and child elements.
///
/// The methods check names and characters, and writers escape the text. A document must declare the namespace on its
/// root element, so add it to the [options](crate::WriteOptions::namespace) of the writer or set.
///
/// ```
/// use sitemap_core::{Entry, Loc, Site, SitemapWriter, WriteOptions};
/// use sitemap_core::extension::{Element, Namespace};
///
/// let own = Namespace::new("x", "urn:example:x")?;
/// let author = Element::new(own.clone(), "author")?.with_text("Jane & Joe")?;
/// let note = Element::new(own.clone(), "note")?.with_attribute("kind", "draft")?.with_child(author)?;
/// assert_eq!(note.attribute("kind"), Some("draft"));
///
/// let options = WriteOptions::new().namespace(own);
/// let mut sitemap = SitemapWriter::with_options(Site::new("https://example.com")?, Vec::new(), options);
/// sitemap.add(&Entry::new(Loc::parse("https://example.com/")?).with_elements(vec![note]))?;
/// let (xml, _) = sitemap.finish()?;
/// assert!(String::from_utf8_lossy(&xml).contains(
///     r#"<x:note kind="draft"><x:author>Jane &amp; Joe</x:author></x:note>"#
/// ));
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

/// A piece of text or a child element inside an [`Element`].
///
/// ```
/// use sitemap_core::extension::{Element, Namespace, Node};
///
/// let element = Element::new(Namespace::new("x", "urn:example:x")?, "note")?.with_text("a < b")?;
/// assert_eq!(element.content(), [Node::Text("a < b".into())]);
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Node<'a> {
    /// Text, without XML escapes.
    Text(Cow<'a, str>),
    /// A child element.
    Element(Element<'a>),
}

impl<'a> Element<'a> {
    /// The maximum depth of nested elements. The outermost element is the first level.
    pub const MAX_DEPTH: usize = 32;

    /// Creates an empty element. `name` is its name without the prefix.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the name contains a colon or is not an XML name.
    pub fn new(namespace: Namespace<'a>, name: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        let name = checked_name(|| (namespace.prefix().to_owned(), "element"), name.into())?;
        Ok(Self { namespace, name, attributes: Vec::new(), qualified: Vec::new(), content: Vec::new() })
    }

    /// Adds an attribute without a namespace. See the [example](Self).
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the name contains a colon, is not an XML name, is `xmlns`, or is already used
    /// by another attribute, or if the value contains a character that XML forbids.
    pub fn with_attribute(
        mut self,
        name: impl Into<Cow<'a, str>>,
        value: impl Into<Cow<'a, str>>,
    ) -> Result<Self, ExtensionError> {
        let name = checked_name(|| (self.qualified_name(), "attribute"), name.into())?;
        let value = value.into();
        let conflict = match &*name {
            "xmlns" => Some("which declares a namespace"),
            name if self.attribute(name).is_some() => Some("which an earlier attribute already has"),
            _ => None,
        };
        if let Some(conflict) = conflict {
            return Err(self.taken(&name, conflict));
        }
        allowed(self.qualified_name(), &value)?;
        self.attributes.push((name, value));
        Ok(self)
    }

    /// Returns the error for an attribute whose name cannot be used.
    #[cold]
    fn taken(&self, name: &str, why: &str) -> ExtensionError {
        let found = format!("has an attribute named {}, {why}", excerpt(name));
        ExtensionError::new(self.qualified_name(), ExtensionErrorKind::Invalid, found, "use another name")
    }

    /// Adds an attribute in a namespace. It is written with the prefix of the namespace.
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
    /// Returns an [`ExtensionError`] if the name contains a colon or is not an XML name, if the element already has an
    /// attribute with this name and namespace, or if the value contains a character that XML forbids.
    pub fn with_qualified_attribute(
        mut self,
        namespace: Namespace<'a>,
        name: impl Into<Cow<'a, str>>,
        value: impl Into<Cow<'a, str>>,
    ) -> Result<Self, ExtensionError> {
        let name = checked_name(|| (self.qualified_name(), "attribute"), name.into())?;
        let value = value.into();
        if self.qualified.iter().any(|(of, taken, _)| of.uri == namespace.uri && *taken == name) {
            return Err(self.taken(&name, "which an earlier attribute of this namespace already has"));
        }
        allowed(self.qualified_name(), &value)?;
        self.qualified.push((namespace, name, value));
        Ok(self)
    }

    /// Appends text to the content. See the [example](Self).
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the text contains a character that XML forbids.
    pub fn with_text(mut self, text: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        let text = text.into();
        allowed(self.qualified_name(), &text)?;
        self.content.push(Node::Text(text));
        Ok(self)
    }

    /// Appends a child element, from the same or another namespace. See the [example](Self).
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the element would be nested more than [32 levels](Self::MAX_DEPTH) deep.
    pub fn with_child(mut self, child: Element<'a>) -> Result<Self, ExtensionError> {
        let depth = 1 + child.depth();
        if depth > Self::MAX_DEPTH {
            let found = format!("has {depth} levels of elements");
            let remedy = format!("use at most {}", Self::MAX_DEPTH);
            return Err(ExtensionError::new(
                self.qualified_name(),
                ExtensionErrorKind::TooMany,
                found,
                remedy,
            ));
        }
        self.content.push(Node::Element(child));
        Ok(self)
    }

    /// Changes the prefix of one namespace in this element, its attributes and all nested elements. The namespace with
    /// the URI of `namespace` gets the prefix of `namespace`.
    ///
    /// ```
    /// use sitemap_core::extension::{Element, Namespace};
    ///
    /// let element = Element::new(Namespace::new("ns", "urn:example:x")?, "note")?;
    /// let element = element.with_prefix(&Namespace::new("x", "urn:example:x")?);
    /// assert_eq!(element.namespace().prefix(), "x");
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn with_prefix(mut self, namespace: &Namespace<'a>) -> Self {
        self.set_prefix(namespace);
        self
    }

    fn set_prefix(&mut self, new: &Namespace<'a>) {
        let attributes = self.qualified.iter_mut().map(|(namespace, ..)| namespace);
        for namespace in std::iter::once(&mut self.namespace).chain(attributes) {
            if namespace.uri == new.uri {
                namespace.prefix.clone_from(&new.prefix);
            }
        }
        for node in &mut self.content {
            if let Node::Element(child) = node {
                child.set_prefix(new);
            }
        }
    }

    /// Returns the namespace of the element.
    pub const fn namespace(&self) -> &Namespace<'a> {
        &self.namespace
    }

    /// Returns the name of the element without the prefix.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the names and values of the attributes without a namespace.
    pub fn attributes(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.attributes.iter().map(|(name, value)| (&**name, &**value))
    }

    /// Returns the namespaces, names and values of the attributes that have a namespace.
    pub fn qualified_attributes(&self) -> impl ExactSizeIterator<Item = (&Namespace<'a>, &str, &str)> {
        self.qualified.iter().map(|(namespace, name, value)| (namespace, &**name, &**value))
    }

    /// Returns the value of an attribute without a namespace.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes().find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    /// Returns the content: text and child elements in document order.
    #[must_use]
    pub fn content(&self) -> &[Node<'a>] {
        &self.content
    }

    /// Returns the child elements.
    pub fn children(&self) -> impl Iterator<Item = &Element<'a>> {
        self.content.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    /// Copies the borrowed strings, so that the element owns all of its data.
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

    /// Returns the name with the prefix.
    fn qualified_name(&self) -> String {
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

/// Checks a name. `owner` describes, for the error, what the name belongs to and what it is for, such as `attribute`.
fn checked_name(
    owner: impl FnOnce() -> (String, &'static str),
    name: Cow<'_, str>,
) -> Result<Cow<'_, str>, ExtensionError> {
    if is_name(&name) {
        return Ok(name);
    }
    let (owner, noun) = owner();
    let found = format!("has an {noun} named {}", excerpt(&name));
    let remedy =
        "use an XML name without a prefix: letters, digits, `-`, `_` and `.`, starting with a letter or `_`";
    Err(ExtensionError::new(owner, ExtensionErrorKind::Invalid, found, remedy))
}

/// Returns `true` if a string is an XML name without a colon.
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
