//! A quick-xml event loop over borrowed strings. It reads the same text and attributes, decodes their references into
//! reused buffers, and checks nothing. It recognises elements by their local names.

use std::str;

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};

use super::tally::Tally;
use crate::Result;

/// How an element's text is counted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    None,
    /// A URL or other string, whose length is added to the total.
    Text,
    /// A date, number or word.
    Value,
}

fn field(local: &str) -> Field {
    match local {
        "loc" | "caption" | "title" | "thumbnail_loc" | "description" | "content_loc" | "player_loc"
        | "tag" | "name" | "language" => Field::Text,
        "lastmod" | "changefreq" | "priority" | "duration" | "publication_date" | "family_friendly" => {
            Field::Value
        }
        _ => Field::None,
    }
}

/// Reads the text and attributes of all entries.
pub fn read(bytes: &[u8]) -> Result<Tally> {
    let mut reader = Reader::from_str(str::from_utf8(bytes)?);
    let mut tally = Tally::default();
    let mut current = Field::None;
    let mut text = String::new();
    loop {
        match reader.read_event()? {
            Event::Start(start) => {
                let name = start.local_name();
                if name.as_ref() == "link" {
                    link(&start, &mut tally)?;
                }
                current = field(name.as_ref());
                text.clear();
            }
            Event::Empty(start) if start.local_name().as_ref() == "link" => {
                link(&start, &mut tally)?;
            }
            Event::Text(part) if current != Field::None => text.push_str(&part),
            Event::CData(part) if current != Field::None => text.push_str(&part),
            Event::GeneralRef(reference) if current != Field::None => {
                text.push_str(resolve_predefined_entity(&reference).ok_or("found an unknown entity")?);
            }
            Event::End(end) => {
                match current {
                    Field::None => {}
                    Field::Text => tally.text(text.trim()),
                    Field::Value => tally.value(!text.is_empty()),
                }
                current = Field::None;
                tally.entries += u64::from(end.local_name().as_ref() == "url");
            }
            Event::Eof => return Ok(tally),
            _ => {}
        }
    }
}

fn link(start: &BytesStart<'_>, tally: &mut Tally) -> Result<()> {
    for attribute in start.attributes().with_checks(false) {
        let attribute = attribute?;
        if matches!(attribute.key.as_ref(), "hreflang" | "href") {
            tally.text(&attribute.normalized_value(XmlVersion::Implicit1_0)?);
        }
    }
    Ok(())
}
