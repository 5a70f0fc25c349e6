//! quick-xml's `Writer`, used event by event as in its documentation.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use chrono::SecondsFormat;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use crate::Result;
use crate::workload::{self, Item};

const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// Publishes the set.
pub fn run(dir: &Path, entries: u64) -> Result<()> {
    let mut index = document(&workload::index_path(dir), "sitemapindex")?;
    for (ids, n) in workload::files(entries).zip(1..) {
        let mut urlset = document(&workload::child_path(dir, n), "urlset")?;
        for id in ids {
            url(&mut urlset, &Item::nth(id))?;
        }
        finish(urlset, "urlset")?;

        index.write_event(Event::Start(BytesStart::new("sitemap")))?;
        element(&mut index, "loc", &workload::child_url(n))?;
        index.write_event(Event::End(BytesEnd::new("sitemap")))?;
        line_break(&mut index)?;
    }
    finish(index, "sitemapindex")?;
    Ok(())
}

fn document(path: &Path, root: &str) -> io::Result<Writer<BufWriter<File>>> {
    let file = BufWriter::with_capacity(workload::BUFFER, File::create(path)?);
    let mut writer = Writer::new(file);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    line_break(&mut writer)?;
    let root = BytesStart::new(root).with_attributes([("xmlns", NAMESPACE)]);
    writer.write_event(Event::Start(root))?;
    line_break(&mut writer)?;
    Ok(writer)
}

fn url<W: Write>(writer: &mut Writer<W>, item: &Item) -> io::Result<()> {
    let lastmod = item.lastmod.to_rfc3339_opts(SecondsFormat::Secs, true);
    let priority = format!("{:.1}", item.priority);
    writer.write_event(Event::Start(BytesStart::new("url")))?;
    element(writer, "loc", &item.loc())?;
    element(writer, "lastmod", &lastmod)?;
    element(writer, "changefreq", "weekly")?;
    element(writer, "priority", &priority)?;
    writer.write_event(Event::End(BytesEnd::new("url")))?;
    line_break(writer)
}

fn element<W: Write>(writer: &mut Writer<W>, name: &str, text: &str) -> io::Result<()> {
    writer.write_event(Event::Start(BytesStart::new(name)))?;
    writer.write_event(Event::Text(BytesText::new(text)))?;
    writer.write_event(Event::End(BytesEnd::new(name)))
}

fn line_break<W: Write>(writer: &mut Writer<W>) -> io::Result<()> {
    writer.write_event(Event::Text(BytesText::from_escaped("\n")))
}

fn finish<W: Write>(mut writer: Writer<W>, root: &str) -> io::Result<()> {
    writer.write_event(Event::End(BytesEnd::new(root)))?;
    line_break(&mut writer)?;
    writer.into_inner().flush()
}
