//! Elements of other namespaces as JSON.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use sitemap_core::Error;
use sitemap_core::extension::Namespace;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Element<'a> {
    #[serde(borrow)]
    pub(crate) namespace: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) prefix: Cow<'a, str>,
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow, default, skip_serializing_if = "IndexMap::is_empty")]
    attributes: IndexMap<Cow<'a, str>, Cow<'a, str>>,
    /// Attributes of namespaces.
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) qualified: Vec<Qualified<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) content: Vec<Content<'a>>,
}

/// An attribute of a namespace.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Qualified<'a> {
    #[serde(borrow)]
    pub(crate) namespace: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) prefix: Cow<'a, str>,
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    value: Cow<'a, str>,
}

/// A text or an element.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Content<'a> {
    #[serde(borrow)]
    Text(Cow<'a, str>),
    #[serde(borrow)]
    Element(Element<'a>),
}

impl<'a> Element<'a> {
    pub(super) fn of(element: &'a sitemap_core::extension::Element<'_>) -> Self {
        let namespace = element.namespace();
        Self {
            namespace: namespace.uri().into(),
            prefix: namespace.prefix().into(),
            name: element.name().into(),
            attributes: element.attributes().map(|(name, value)| (name.into(), value.into())).collect(),
            qualified: element.qualified_attributes().map(Qualified::of).collect(),
            content: element.content().iter().filter_map(Content::of).collect(),
        }
    }

    pub(super) fn element(&self) -> Result<sitemap_core::extension::Element<'_>, Error> {
        let namespace = Namespace::new(&*self.prefix, &*self.namespace)?;
        let mut element = sitemap_core::extension::Element::new(namespace, &*self.name)?;
        for (name, value) in &self.attributes {
            element = element.with_attribute(&**name, &**value)?;
        }
        for attribute in &self.qualified {
            element = element.with_qualified_attribute(
                attribute.namespace()?,
                &*attribute.name,
                &*attribute.value,
            )?;
        }
        for content in &self.content {
            element = match content {
                Content::Text(text) => element.with_text(&**text)?,
                Content::Element(child) => element.with_child(child.element()?)?,
            };
        }
        Ok(element)
    }
}

impl<'a> Qualified<'a> {
    fn of((namespace, name, value): (&'a Namespace<'_>, &'a str, &'a str)) -> Self {
        Self {
            namespace: namespace.uri().into(),
            prefix: namespace.prefix().into(),
            name: name.into(),
            value: value.into(),
        }
    }

    /// Whether it is one of XML's own, which needs no declaration.
    pub(crate) fn is_xml(&self) -> bool {
        *self.namespace == *Namespace::xml().uri()
    }

    fn namespace(&self) -> Result<Namespace<'_>, Error> {
        if self.is_xml() {
            return Ok(Namespace::xml());
        }
        Ok(Namespace::new(&*self.prefix, &*self.namespace)?)
    }
}

impl<'a> Content<'a> {
    /// Nothing for a kind of content that is yet to be invented.
    fn of(content: &'a sitemap_core::extension::Node<'_>) -> Option<Self> {
        match content {
            sitemap_core::extension::Node::Text(text) => Some(Self::Text(Cow::Borrowed(text))),
            sitemap_core::extension::Node::Element(element) => Some(Self::Element(Element::of(element))),
            _ => None,
        }
    }
}
