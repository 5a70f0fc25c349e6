//! Pages from one JSON object a line, with all their extensions.
//!
//! A sitemap declares its namespaces before its first page, so the input is read twice: once to see
//! which ones it needs, once to write the pages.

use std::fs::File;
use std::io::{BufReader, Seek as _, SeekFrom};

use indexmap::IndexMap;
use serde::de::DeserializeSeed as _;
use sitemap_core::extension::{Element, Namespace};
use sitemap_core::publish::PublisherBuilder;
use sitemap_core::{Entry, Extensions, Site, Summary};

use super::failure::failed;
use super::lines::Lines;
use super::publish::open;
use super::row::Row;
use crate::args::{BuildArgs, BuildFormat};
use crate::error::{Outcome, Stop, said};
use crate::terminal::Progress;

pub(super) fn build(
    args: &BuildArgs,
    mut builder: PublisherBuilder,
    name: &str,
    mut file: File,
) -> Outcome<Summary> {
    let failed_to_read = |error: std::io::Error| Stop::new(format!("cannot read `{name}`: {}", said(&error)));
    let site = builder.site().clone();
    let total = file.metadata().map_err(failed_to_read)?.len();
    let mut needs = Needs::default();
    if args.format == BuildFormat::Xml {
        needs = Needs::of(&mut file, total, &site)?;
        file.seek(SeekFrom::Start(0)).map_err(failed_to_read)?;
        builder = needs.declare(builder);
    }
    let mut publisher = open(args, builder)?;
    let mut section = publisher.section(&args.section).map_err(|error| failed(&error))?;
    let progress = Progress::of_bytes("building", Some(total));
    let mut lines = Lines::new(BufReader::with_capacity(64 * 1024, &mut file));
    while let Some((line, text, taken)) = lines.next()? {
        let page = parse(text, &site).map(|page| needs.unify(page));
        let page = page.as_ref().map_err(explain);
        section.add(&Row { input: name, line, page }).map_err(|error| failed(&error))?;
        progress.add(taken);
    }
    drop(progress);
    publisher.finish().map_err(|error| failed(&error))
}

/// Reads one object. A path counts from the site's base.
pub(crate) fn parse<'t>(text: &'t [u8], site: &Site) -> serde_json::Result<Entry<'t>> {
    let mut json = serde_json::Deserializer::from_slice(text);
    let entry = site.deserialize(&mut json)?;
    json.end().map(|()| entry)
}

/// Without the line, which is always 1 here.
pub(crate) fn explain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((what, _)) => format!("column {}: {what}", error.column()),
        None => text,
    }
}

/// What a set's files must declare.
#[derive(Debug, Default)]
struct Needs {
    extensions: Extensions,
    /// The prefix of each namespace; no two share one.
    prefixes: IndexMap<String, String>,
}

impl Needs {
    fn of(file: &mut File, total: u64, site: &Site) -> Outcome<Self> {
        let mut needs = Self::default();
        let progress = Progress::of_bytes("looking for extensions", Some(total));
        let mut lines = Lines::new(BufReader::with_capacity(64 * 1024, file));
        while let Some((_, text, taken)) = lines.next()? {
            progress.add(taken);
            // Invalid lines are reported when they are to be written.
            if may_extend(text)
                && let Ok(page) = parse(text, site)
            {
                needs.add(&page);
            }
        }
        Ok(needs)
    }

    fn add(&mut self, page: &Entry<'_>) {
        self.extensions = self.extensions | page.extensions();
        page.elements().iter().for_each(|element| self.add_element(element));
    }

    fn add_element(&mut self, element: &Element<'_>) {
        let of_attributes = element.qualified_attributes().map(|(namespace, ..)| namespace);
        for namespace in std::iter::once(element.namespace()).chain(of_attributes) {
            if *namespace != Namespace::xml() {
                self.add_namespace(namespace.uri(), namespace.prefix());
            }
        }
        element.children().for_each(|child| self.add_element(child));
    }

    fn add_namespace(&mut self, uri: &str, wanted: &str) {
        if !self.prefixes.contains_key(uri) {
            let is_free = |prefix: &str| self.prefixes.values().all(|taken| taken != prefix);
            let numbered = (2..).map(|number| format!("{wanted}{number}"));
            let prefix = std::iter::once(wanted.to_owned()).chain(numbered).find(|prefix| is_free(prefix));
            self.prefixes.insert(uri.to_owned(), prefix.unwrap_or_default());
        }
    }

    /// Gives elements the prefixes that are declared for their namespaces.
    fn unify<'a>(&self, page: Entry<'a>) -> Entry<'a> {
        if page.elements().is_empty() {
            return page;
        }
        let namespaces: Vec<_> = self.namespaces().map(Namespace::into_owned).collect();
        let unified = |element: &Element<'a>| {
            namespaces
                .iter()
                .cloned()
                .fold(element.clone(), |element, namespace| element.with_prefix(&namespace))
        };
        let elements: Vec<_> = page.elements().iter().map(unified).collect();
        page.with_elements(elements)
    }

    fn namespaces(&self) -> impl Iterator<Item = Namespace<'_>> {
        // An invalid namespace makes its pages invalid, which is reported then.
        self.prefixes.iter().filter_map(|(uri, prefix)| Namespace::new(prefix.as_str(), uri.as_str()).ok())
    }

    fn declare(&self, mut builder: PublisherBuilder) -> PublisherBuilder {
        builder = builder.extensions(self.extensions);
        for namespace in self.namespaces() {
            builder = builder.namespace(namespace);
        }
        builder
    }
}

/// Whether a line may have more than the protocol's four values. A key can be written with escapes.
fn may_extend(line: &[u8]) -> bool {
    const KEYS: [&[u8]; 5] = [b"\"alternates\"", b"\"images\"", b"\"videos\"", b"\"news\"", b"\"elements\""];
    line.contains(&b'\\') || KEYS.iter().any(|key| line.windows(key.len()).any(|window| window == *key))
}
