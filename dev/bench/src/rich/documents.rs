//! The documents to read: one for each kind of extension, and one for each program's layout.

use std::fmt::Write as _;

use crate::workload::Item;

/// A kind of document.
#[derive(Clone, Copy)]
pub struct Kind {
    /// The name in the table.
    pub name: &'static str,
    entry: fn(&mut String, u64),
}

/// All kinds of documents, in table order.
pub const KINDS: &[Kind] = &[
    kind("plain", |out, id| entry(out, id, "")),
    kind("five translations", |out, id| entry(out, id, &links(id, 5, ""))),
    kind("two images", |out, id| entry(out, id, &images(id, 2, ""))),
    kind("a video", |out, id| entry(out, id, &video(id))),
    kind("news", |out, id| entry(out, id, &news(id))),
    kind("mixed", mixed),
    kind("Yoast: tabs, an image", yoast),
    kind("WordPress: one line", |out, id| {
        plain(out, id);
        out.truncate(out.trim_end().len());
    }),
    kind("Django: translations on own lines", |out, id| {
        entry(out, id, &links(id, 5, "\n"));
    }),
    kind("npm's sitemap: one line, all of it", npm),
    kind("CDATA", cdata),
    kind("other order", other_order),
    kind("other prefixes", |out, id| {
        let extensions =
            links(id, 5, "").replace("xhtml:", "ns1:") + &images(id, 2, "").replace("image:", "ns2:");
        entry(out, id, &extensions);
    }),
];

const fn kind(name: &'static str, entry: fn(&mut String, u64)) -> Kind {
    Kind { name, entry }
}

impl Kind {
    /// Returns a document with this number of entries.
    #[must_use]
    pub fn document(&self, entries: u64) -> String {
        let mut out = String::from(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
             xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
             xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
             xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
             xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" \
             xmlns:ns1=\"http://www.w3.org/1999/xhtml\" \
             xmlns:ns2=\"http://www.google.com/schemas/sitemap-image/1.1\">\n",
        );
        for id in 0..entries {
            (self.entry)(&mut out, id);
        }
        out.push_str("</urlset>\n");
        out
    }
}

fn loc(id: u64) -> String {
    Item::nth(id).loc().replace('&', "&amp;")
}

fn date(id: u64) -> String {
    Item::nth(id).lastmod.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn entry(out: &mut String, id: u64, extensions: &str) {
    let (loc, date) = (loc(id), date(id));
    _ = writeln!(out, "<url><loc>{loc}</loc><lastmod>{date}</lastmod>{extensions}</url>");
}

fn plain(out: &mut String, id: u64) {
    let (loc, date, tenth) = (loc(id), date(id), id % 10);
    _ = writeln!(
        out,
        "<url><loc>{loc}</loc><lastmod>{date}</lastmod><changefreq>weekly</changefreq><priority>0.{tenth}</priority></url>"
    );
}

fn links(id: u64, count: usize, before: &str) -> String {
    ["en", "de", "fr", "pt-BR", "x-default"].iter().take(count).fold(String::new(), |mut out, tag| {
        _ = write!(
            out,
            "{before}<xhtml:link rel=\"alternate\" hreflang=\"{tag}\" href=\"https://www.example.com/{tag}/catalog/item-{id}\"/>"
        );
        out
    })
}

fn images(id: u64, count: usize, more: &str) -> String {
    ["front", "back"].iter().take(count).fold(String::new(), |mut out, name| {
        _ = write!(
            out,
            "<image:image><image:loc>https://cdn.example.com/{id}/{name}.jpg</image:loc>{more}</image:image>"
        );
        out
    })
}

fn video(id: u64) -> String {
    format!(
        "<video:video><video:thumbnail_loc>https://cdn.example.com/{id}/thumbnail.jpg</video:thumbnail_loc>\
         <video:title>Item {id}: how it is made &amp; used</video:title>\
         <video:description>The workshop shows in three minutes how item {id} is made, tested and packed.</video:description>\
         <video:content_loc>https://video.example.com/{id}.mp4</video:content_loc>\
         <video:player_loc>https://video.example.com/player?id={id}</video:player_loc>\
         <video:duration>{}</video:duration>\
         <video:publication_date>{}</video:publication_date>\
         <video:tag>workshop</video:tag><video:tag>item</video:tag>\
         <video:family_friendly>yes</video:family_friendly></video:video>",
        60 + id % 600,
        date(id)
    )
}

fn news(id: u64) -> String {
    format!(
        "<news:news><news:publication><news:name>The Example Times</news:name><news:language>en</news:language>\
         </news:publication><news:publication_date>{}</news:publication_date>\
         <news:title>Item {id} is now sold in three more colours</news:title></news:news>",
        date(id)
    )
}

fn mixed(out: &mut String, id: u64) {
    match id % 5 {
        0 => plain(out, id),
        1 => entry(out, id, &links(id, 3, "")),
        2 => entry(out, id, &(links(id, 2, "") + &images(id, 1, ""))),
        3 => entry(out, id, &video(id)),
        _ => entry(out, id, &(news(id) + &images(id, 1, ""))),
    }
}

fn yoast(out: &mut String, id: u64) {
    let (loc, date) = (loc(id), date(id).replace('Z', "+00:00"));
    _ = writeln!(
        out,
        "\t<url>\n\t\t<loc>{loc}</loc>\n\t\t<lastmod>{date}</lastmod>\n\t\t<image:image>\n\
         \t\t\t<image:loc>https://cdn.example.com/{id}/front.jpg</image:loc>\n\t\t</image:image>\n\t</url>"
    );
}

fn npm(out: &mut String, id: u64) {
    let (loc, date) = (loc(id), date(id).replace('Z', ".000Z"));
    let (links, images) = (links(id, 2, ""), images(id, 1, "<image:caption>The front</image:caption>"));
    _ = write!(
        out,
        "<url><loc>{loc}</loc><lastmod>{date}</lastmod><changefreq>weekly</changefreq><priority>0.8</priority>{links}{images}</url>"
    );
}

fn cdata(out: &mut String, id: u64) {
    let (loc, date) = (Item::nth(id).loc(), date(id));
    _ = writeln!(
        out,
        "<url><loc><![CDATA[{loc}]]></loc><lastmod>{date}</lastmod><image:image>\
         <image:loc><![CDATA[https://cdn.example.com/{id}/front.jpg]]></image:loc>\
         <image:title><![CDATA[Front & back]]></image:title></image:image></url>"
    );
}

fn other_order(out: &mut String, id: u64) {
    let (loc, date) = (loc(id), date(id));
    _ = writeln!(
        out,
        "<url>{}<lastmod>{date}</lastmod><xhtml:link href=\"https://www.example.com/de/{id}\" hreflang=\"de\" \
         rel=\"alternate\" /><priority>0.5</priority><loc>{loc}</loc></url>",
        images(id, 1, "")
    );
}
