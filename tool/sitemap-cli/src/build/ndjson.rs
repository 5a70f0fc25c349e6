//! NDJSON input: one JSON object per line, with all extensions.
//!
//! A sitemap declares its namespaces before its first entry, so the input is read twice: once to find the namespaces,
//! and once to write the entries.

use std::fs::File;
use std::io::{BufReader, Seek as _, SeekFrom};

use indexmap::IndexMap;
use memchr::memmem;
use sitemap_core::extension::{Element, Namespace};
use sitemap_core::publish::SetOptions;
use sitemap_core::{Entry, Extensions, Site};

use super::sink::Pages;
use crate::error::{Outcome, Stop, system_message};
use crate::interrupt;
use crate::page_list::lines::Lines;
use crate::page_list::ndjson::{check_end, explain, namespaces, namespaces_of, parse};
use crate::terminal::Progress;

/// A list of pages, stored so that it can be read twice.
pub(super) struct Ndjson {
    name: String,
    file: File,
    len: u64,
}

impl Ndjson {
    pub(super) fn new(name: String, file: File) -> Outcome<Self> {
        let metadata = file.metadata().map_err(|error| failed_to_read(&name, &error))?;
        Ok(Self { name, file, len: metadata.len() })
    }

    /// Reads the list to find out which extensions and namespaces its pages need.
    pub(super) fn needs(&mut self, needs: &mut Needs, site: &Site) -> Outcome<()> {
        needs.add_all(&mut self.file, self.len, site)?;
        let rewound = self.file.seek(SeekFrom::Start(0));
        rewound.map(drop).map_err(|error| failed_to_read(&self.name, &error))
    }

    pub(super) fn fill(self, section: &mut Pages<'_>, site: &Site, needs: &Needs) -> Outcome<()> {
        let Self { name, file, len } = self;
        let progress = Progress::of_bytes("building", Some(len));
        let mut lines = Lines::new(BufReader::with_capacity(64 * 1024, interrupt::checked(file)));
        while let Some(line) = lines.next()? {
            check_end(&line, &name)?;
            let page = parse(line.text, site).map(|page| needs.unify(page));
            section.add(&format_args!("{name}:{}", line.number), page.as_ref().map_err(explain))?;
            progress.add(line.taken);
        }
        Ok(())
    }
}

fn failed_to_read(name: &str, error: &std::io::Error) -> Stop {
    Stop::new(format!("cannot read `{name}`: {}", system_message(error)))
}

/// Returns `false` if a line certainly contains no extension, without parsing the line. A line with a backslash is
/// always parsed, because the backslash may be part of an escaped key.
fn may_have_extensions(line: &[u8]) -> bool {
    /// The keys without their last letter, which is the same in all keys.
    const KEYS: [&[u8]; 5] = [b"\"alternate", b"\"image", b"\"video", b"\"new", b"\"element"];

    memmem::find_iter(line, b"s\"").any(|end| KEYS.iter().any(|key| line[..end].ends_with(key)))
        || line.contains(&b'\\')
}

/// The extensions and namespaces that a set's files must declare.
#[derive(Debug, Default)]
pub(super) struct Needs {
    extensions: Extensions,
    /// Maps each namespace URI to the prefix that the files declare. Every namespace has its own prefix.
    prefixes: IndexMap<String, String>,
    /// The valid namespaces of `prefixes`, filled at the end of the first pass. Pages with an invalid namespace are
    /// reported in the second pass.
    namespaces: Vec<Namespace<'static>>,
}

impl Needs {
    /// Adds the extensions and namespaces that the pages of a list need.
    fn add_all(&mut self, file: &mut File, len: u64, site: &Site) -> Outcome<()> {
        let progress = Progress::of_bytes("looking for extensions", Some(len));
        let mut lines = Lines::new(BufReader::with_capacity(64 * 1024, interrupt::checked(&mut *file)));
        while let Some(line) = lines.next()? {
            progress.add(line.taken);
            // Ignores invalid lines; the second pass reports them.
            if may_have_extensions(line.text)
                && let Ok(page) = parse(line.text, site)
            {
                self.add(&page);
            }
        }
        let namespace = |(uri, prefix)| Namespace::new(prefix, uri).ok().map(Namespace::into_owned);
        self.namespaces = self.prefixes.iter().filter_map(namespace).collect();
        Ok(())
    }

    fn add(&mut self, page: &Entry<'_>) {
        self.extensions = self.extensions | page.extensions();
        for namespace in namespaces_of(page) {
            self.add_namespace(namespace.uri(), namespace.prefix());
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

    /// Changes the prefixes in a page to those that the files declare.
    fn unify<'a>(&self, page: Entry<'a>) -> Entry<'a> {
        if page.elements().iter().all(|element| self.is_unified(element)) {
            return page;
        }
        let unified =
            |element: &Element<'a>| self.namespaces.iter().fold(element.clone(), Element::with_prefix);
        let elements: Vec<_> = page.elements().iter().map(unified).collect();
        page.with_elements(elements)
    }

    /// Returns `true` if an element and its content already use the declared prefixes, which is the common case.
    fn is_unified(&self, element: &Element<'_>) -> bool {
        let is_declared = |namespace: &Namespace<'_>| {
            self.prefixes.get(namespace.uri()).is_none_or(|prefix| prefix == namespace.prefix())
        };
        namespaces(element).all(is_declared) && element.children().all(|child| self.is_unified(child))
    }

    pub(super) fn declare(&self, builder: SetOptions) -> SetOptions {
        let builder = builder.extensions(self.extensions);
        self.namespaces.iter().cloned().fold(builder, SetOptions::namespace)
    }
}
