//! Pages from one JSON object a line, with all their extensions.
//!
//! A sitemap declares its namespaces before its first page, so the input is read twice: once to see
//! which ones it needs, once to write the pages.

use std::fs::File;
use std::io::{BufReader, Seek as _, SeekFrom};

use indexmap::IndexMap;
use sitemap_core::extension::Namespace;
use sitemap_core::publish::PublisherBuilder;
use sitemap_core::{Extensions, Summary};

use super::lines::Lines;
use super::row::Row;
use super::{failed, open};
use crate::args::{BuildArgs, BuildFormat};
use crate::error::{Outcome, Stop, said};
use crate::page::{Content, Element, Page};
use crate::terminal::Progress;

pub(super) fn build(
    args: &BuildArgs,
    mut builder: PublisherBuilder,
    name: &str,
    mut file: File,
) -> Outcome<Summary> {
    let failed_to_read = |error: std::io::Error| Stop::new(format!("cannot read `{name}`: {}", said(&error)));
    let total = file.metadata().map_err(failed_to_read)?.len();
    let mut needs = Needs::default();
    if args.format == BuildFormat::Xml {
        needs = Needs::of(&mut file, total)?;
        file.seek(SeekFrom::Start(0)).map_err(failed_to_read)?;
        builder = needs.declare(builder);
    }
    let mut publisher = open(args, builder)?;
    let mut section = publisher.section(&args.section).map_err(|error| failed(&error))?;
    let progress = Progress::of_bytes("building", Some(total));
    let mut lines = Lines::new(BufReader::with_capacity(64 * 1024, &mut file));
    while let Some((line, text, taken)) = lines.next()? {
        let mut page = serde_json::from_slice::<Page<'_>>(text);
        if let Ok(page) = &mut page {
            needs.unify(&mut page.elements);
        }
        let page = page.as_ref().map_err(explain);
        section.add(&Row { input: name, line, page }).map_err(|error| failed(&error))?;
        progress.add(taken);
    }
    drop(progress);
    publisher.finish().map_err(|error| failed(&error))
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
    fn of(file: &mut File, total: u64) -> Outcome<Self> {
        let mut needs = Self::default();
        let progress = Progress::of_bytes("looking for extensions", Some(total));
        let mut lines = Lines::new(BufReader::with_capacity(64 * 1024, file));
        while let Some((_, text, taken)) = lines.next()? {
            progress.add(taken);
            // What cannot be read is said when it is to be written.
            if may_extend(text)
                && let Ok(page) = serde_json::from_slice::<Page<'_>>(text)
            {
                needs.add(&page);
            }
        }
        Ok(needs)
    }

    fn add(&mut self, page: &Page<'_>) {
        for (is_empty, extension) in [
            (page.alternates.is_empty(), Extensions::ALTERNATES),
            (page.images.is_empty(), Extensions::IMAGES),
            (page.videos.is_empty(), Extensions::VIDEOS),
            (page.news.is_none(), Extensions::NEWS),
        ] {
            if !is_empty {
                self.extensions = self.extensions | extension;
            }
        }
        page.elements.iter().for_each(|element| self.add_element(element));
    }

    fn add_element(&mut self, element: &Element<'_>) {
        self.add_namespace(&element.namespace, &element.prefix);
        for attribute in element.qualified.iter().filter(|attribute| !attribute.is_xml()) {
            self.add_namespace(&attribute.namespace, &attribute.prefix);
        }
        for content in &element.content {
            if let Content::Element(child) = content {
                self.add_element(child);
            }
        }
    }

    fn add_namespace(&mut self, uri: &str, wanted: &str) {
        if !self.prefixes.contains_key(uri) {
            let is_free = |prefix: &str| self.prefixes.values().all(|taken| taken != prefix);
            let numbered = (2..).map(|number| format!("{wanted}{number}"));
            let prefix = std::iter::once(wanted.to_owned()).chain(numbered).find(|prefix| is_free(prefix));
            self.prefixes.insert(uri.to_owned(), prefix.unwrap_or_default());
        }
    }

    /// Gives elements the prefix that is declared for their namespace.
    fn unify(&self, elements: &mut [Element<'_>]) {
        for element in elements {
            self.unify_one(element);
        }
    }

    fn unify_one(&self, element: &mut Element<'_>) {
        if let Some(prefix) = self.prefixes.get(&*element.namespace)
            && *prefix != *element.prefix
        {
            element.prefix = prefix.clone().into();
        }
        for attribute in &mut element.qualified {
            if let Some(prefix) = self.prefixes.get(&*attribute.namespace) {
                attribute.prefix = prefix.clone().into();
            }
        }
        for content in &mut element.content {
            if let Content::Element(child) = content {
                self.unify_one(child);
            }
        }
    }

    fn declare(&self, mut builder: PublisherBuilder) -> PublisherBuilder {
        builder = builder.extensions(self.extensions);
        for (uri, prefix) in &self.prefixes {
            // A namespace that is none makes its pages invalid, which is said then.
            if let Ok(namespace) = Namespace::new(prefix.as_str(), uri.as_str()) {
                builder = builder.namespace(namespace);
            }
        }
        builder
    }
}

/// Whether a line may have more than the protocol's four values. A key can be written with escapes.
fn may_extend(line: &[u8]) -> bool {
    const KEYS: [&[u8]; 5] = [b"\"alternates\"", b"\"images\"", b"\"videos\"", b"\"news\"", b"\"elements\""];
    line.contains(&b'\\') || KEYS.iter().any(|key| line.windows(key.len()).any(|window| window == *key))
}
