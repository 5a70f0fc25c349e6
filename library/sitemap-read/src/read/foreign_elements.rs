//! Reads elements in unknown namespaces. They are only kept with `ReadOptions::keep_elements`.

use std::borrow::Cow;

use super::element::Part;
use super::namespace::{Namespaces, split};
use super::tree::{NodeKind, declare_one};
use super::value::{Flaws, decode};
use crate::rule::Rule;
use sitemap_core::extension::{Element, Namespace};

/// Reads an element with its content. Returns `None` if it can't be kept, for example because it has no namespace.
pub(super) fn element<'t>(
    part: &mut Part<'_, 't>,
    names: &mut Namespaces,
    depth: usize,
) -> Option<Element<'t>> {
    let node = part.collected.nodes[part.node];
    if node.cut || depth > Element::MAX_DEPTH {
        return None;
    }
    let mark = names.mark();
    part.declare(names);
    let element = read(part, names, depth);
    names.restore(mark);
    if element.is_none() {
        part.note(Rule::ExtensionInvalid);
    }
    element
}

fn read<'t>(part: &mut Part<'_, 't>, names: &mut Namespaces, depth: usize) -> Option<Element<'t>> {
    let text = part.text;
    let (prefix, local) = split(part.name());
    let uri = names.uri(part.name())?.to_owned();
    // A writer declares all namespaces on the root with a prefix. A namespace without a prefix therefore gets the
    // prefix `ns`.
    let prefix = if prefix.is_empty() { "ns" } else { str::from_utf8(prefix).ok()? };
    let namespace = Namespace::new(prefix, uri).ok()?;
    let mut element = Element::new(namespace, str::from_utf8(local).ok()?).ok()?;
    for attribute in part.collected.attributes(text, part.node) {
        let name = &text[attribute.name.0..attribute.name.1];
        if name.starts_with(b"xmlns") {
            continue;
        }
        let value = decode(&text[attribute.value.0..attribute.value.1], true, &mut Flaws::default());
        let (prefix, name) = split(name);
        let Ok(name) = str::from_utf8(name) else { continue };
        if prefix.is_empty() {
            element = element.with_attribute(name, value).ok()?;
        } else if let Some(namespace) = attribute_namespace(names, prefix) {
            element = element.with_qualified_attribute(namespace, name, value).ok()?;
        } else if names.uri_of(prefix).is_none() {
            part.note(Rule::NamespaceUndeclared);
        }
    }
    let mut next = part.collected.first_child(part.node);
    while let Some(child) = next {
        next = part.collected.next_child(part.node, child);
        let node = part.collected.nodes[child];
        match node.kind {
            NodeKind::Element(..) => {
                if let Some(inner) = self::element(&mut part.child(child), names, depth + 1) {
                    element = element.with_child(inner).ok()?;
                }
            }
            NodeKind::Text | NodeKind::CData => {
                let raw = &text[node.start..node.end];
                let value = match node.kind {
                    NodeKind::CData => String::from_utf8_lossy(raw),
                    _ => decode(raw, false, &mut Flaws::default()),
                };
                let value: Cow<'t, str> = value;
                element = element.with_text(value).ok()?;
            }
        }
    }
    Some(element)
}

/// Returns the namespace of an attribute's prefix. Returns `None` if the document doesn't declare the prefix, or if a
/// writer couldn't declare it.
fn attribute_namespace<'t>(names: &Namespaces, prefix: &'t [u8]) -> Option<Namespace<'t>> {
    if prefix == b"xml" {
        return Some(Namespace::xml());
    }
    let uri = names.uri_of(prefix)?.to_owned();
    Namespace::new(str::from_utf8(prefix).ok()?, uri).ok()
}

impl Part<'_, '_> {
    /// Adds the namespaces that the element declares. [`Namespaces::restore`] removes them.
    pub(super) fn declare(&self, names: &mut Namespaces) {
        for attribute in self.collected.attributes(self.text, self.node) {
            declare_one(self.text, attribute, names);
        }
    }
}
