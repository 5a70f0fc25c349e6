//! A quick-xml event loop over borrowed strings, the simplest way to read a sitemap's values.
//!
//! `texts` reads the text of the elements, decodes their references and checks nothing. `values` also parses each text
//! into the checked types of this project's reader: `Loc`, `LastMod`, `ChangeFreq` and `Priority`. `namespaces` is like
//! `texts`, but also resolves the namespace of every element.

use std::path::Path;
use std::str;

use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::Event;
use quick_xml::name::{Namespace, ResolveResult};
use quick_xml::{NsReader, Reader};
use sitemap_core::{ChangeFreq, LastMod, Loc, Priority};

use super::tally::{Tally, each_in_memory};
use crate::Result;

const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// The text of one entry's elements, in reused buffers.
#[derive(Default)]
struct Texts {
    loc: String,
    lastmod: String,
    changefreq: String,
    priority: String,
    field: Field,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Field {
    #[default]
    None,
    Loc,
    LastMod,
    ChangeFreq,
    Priority,
}

impl Texts {
    fn buffer(&mut self) -> Option<&mut String> {
        match self.field {
            Field::None => None,
            Field::Loc => Some(&mut self.loc),
            Field::LastMod => Some(&mut self.lastmod),
            Field::ChangeFreq => Some(&mut self.changefreq),
            Field::Priority => Some(&mut self.priority),
        }
    }

    /// Processes an event. Returns true if the event ends an entry.
    fn take(&mut self, event: &Event<'_>) -> Result<bool> {
        match event {
            Event::Start(start) => {
                self.field = match start.local_name().as_ref() {
                    "loc" => Field::Loc,
                    "lastmod" => Field::LastMod,
                    "changefreq" => Field::ChangeFreq,
                    "priority" => Field::Priority,
                    _ => Field::None,
                };
                if let Some(buffer) = self.buffer() {
                    buffer.clear();
                }
            }
            Event::Text(text) => {
                if let Some(buffer) = self.buffer() {
                    buffer.push_str(text);
                }
            }
            Event::GeneralRef(reference) => {
                let decoded = resolve_predefined_entity(reference).ok_or("found an unknown entity")?;
                if let Some(buffer) = self.buffer() {
                    buffer.push_str(decoded);
                }
            }
            Event::End(end) => {
                self.field = Field::None;
                return Ok(end.local_name().as_ref() == "url");
            }
            _ => {}
        }
        Ok(false)
    }

    fn tally(&self, tally: &mut Tally) {
        tally.add(
            &self.loc,
            !self.lastmod.is_empty(),
            !self.changefreq.is_empty(),
            !self.priority.is_empty(),
        );
    }
}

/// Reads the text of all entries.
pub fn texts(dir: &Path, entries: u64) -> Result<()> {
    each_in_memory(dir, entries, |bytes, tally| {
        each(bytes, |texts| {
            texts.tally(tally);
            Ok(())
        })
    })
}

/// Reads the checked values of all entries.
pub fn values(dir: &Path, entries: u64) -> Result<()> {
    each_in_memory(dir, entries, |bytes, tally| {
        each(bytes, |texts| {
            let loc = Loc::parse(&*texts.loc)?;
            let lastmod = LastMod::parse(&texts.lastmod)?;
            let changefreq: ChangeFreq = texts.changefreq.parse()?;
            let priority: Priority = texts.priority.parse()?;
            std::hint::black_box((lastmod, changefreq, priority));
            tally.add(loc.as_str(), true, true, true);
            Ok(())
        })
    })
}

fn each(bytes: &[u8], mut entry: impl FnMut(&Texts) -> Result<()>) -> Result<()> {
    let mut reader = Reader::from_str(str::from_utf8(bytes)?);
    let mut texts = Texts::default();
    loop {
        let event = reader.read_event()?;
        if texts.take(&event)? {
            entry(&texts)?;
        } else if event == Event::Eof {
            return Ok(());
        }
    }
}

/// Reads the text of elements in the protocol's namespace.
pub fn namespaces(dir: &Path, entries: u64) -> Result<()> {
    each_in_memory(dir, entries, |bytes, tally| {
        let mut reader = NsReader::from_str(str::from_utf8(bytes)?);
        let mut texts = Texts::default();
        loop {
            let (namespace, event) = reader.read_resolved_event()?;
            let is_element = matches!(event, Event::Start(_) | Event::End(_));
            if is_element && namespace != ResolveResult::Bound(Namespace(NAMESPACE)) {
                continue;
            }
            if texts.take(&event)? {
                texts.tally(tally);
            } else if event == Event::Eof {
                return Ok(());
            }
        }
    })
}
