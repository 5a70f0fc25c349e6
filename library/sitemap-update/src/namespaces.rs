//! The namespaces that a bucket's pages need.

use sitemap_core::extension::{Element, Namespace};
use sitemap_core::publish::SetOptions;
use sitemap_core::{Entry, Extensions};

/// Declares the namespaces that the entries need. The order is the same in every run.
pub(crate) fn declare<'e>(
    builder: SetOptions,
    entries: impl Iterator<Item = &'e Entry<'static>>,
) -> SetOptions {
    let mut extensions = Extensions::NONE;
    let mut namespaces: Vec<&Namespace<'static>> = Vec::new();
    for entry in entries {
        extensions = extensions | entry.extensions();
        entry.elements().iter().for_each(|element| collect(element, &mut namespaces));
    }
    namespaces
        .into_iter()
        .fold(builder.extensions(extensions), |builder, namespace| builder.namespace(namespace.clone()))
}

fn collect<'e>(element: &'e Element<'static>, namespaces: &mut Vec<&'e Namespace<'static>>) {
    let of_attributes = element.qualified_attributes().map(|(namespace, ..)| namespace);
    for namespace in std::iter::once(element.namespace()).chain(of_attributes) {
        if *namespace != Namespace::xml() && !namespaces.contains(&namespace) {
            namespaces.push(namespace);
        }
    }
    element.children().for_each(|child| collect(child, namespaces));
}
