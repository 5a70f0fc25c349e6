//! Writes one entry: a `url` element, a `sitemap` element, or a line of a text sitemap.

// These functions run for every page. Inlining them lets the compiler keep values in registers instead of memory.
#![allow(clippy::inline_always)]

use super::buffer::{Buffer, Window};
use super::declared::Declared;
use super::escape::{put_loc, room_for};
use super::extensions::push_attached;
use crate::entry::Entry;
use crate::extension::Attached;
use crate::value::{ChangeFreq, LastMod, Loc};

/// Appends a `url` element without extensions.
#[inline(always)]
pub(super) fn push_url(buffer: &mut Buffer, entry: &Entry<'_>) {
    let mut out = put_values(buffer, entry);
    out.put(b"</url>\n");
    out.close();
}

/// Appends a `url` element with its extensions.
pub(super) fn push_extended_url(
    buffer: &mut Buffer,
    entry: &Entry<'_>,
    attached: &Attached<'_>,
    declared: &Declared,
) {
    put_values(buffer, entry).close();
    push_attached(buffer, attached, declared);
    buffer.append(b"</url>\n");
}

/// Writes the start of a `url` element. The caller writes the extensions, if any, and the end tag.
///
/// The children are in schema order: `loc`, `lastmod`, `changefreq`, `priority`, then extensions.
#[inline(always)]
fn put_values<'b>(buffer: &'b mut Buffer, entry: &Entry<'_>) -> Window<'b> {
    let mut out = buffer.window(room_for(entry.loc()));
    out.put(b"<url><loc>");
    let mut out = put_loc(out, entry.loc());
    put_lastmod(&mut out, entry.lastmod_ref());
    if let Some(changefreq) = entry.changefreq() {
        put_changefreq(&mut out, changefreq);
    }
    if let Some(priority) = entry.priority() {
        out.put(b"<priority>");
        out.put_with(|text| priority.encode(text));
        out.put(b"</priority>");
    }
    out
}

/// Appends a `sitemap` element.
pub(super) fn push_sitemap(out: &mut Buffer, loc: &Loc<'_>, lastmod: Option<LastMod>) {
    let mut out = out.window(room_for(loc));
    out.put(b"<sitemap><loc>");
    let mut out = put_loc(out, loc);
    put_lastmod(&mut out, lastmod.as_ref());
    out.put(b"</sitemap>\n");
    out.close();
}

/// Appends a URL as one line. URLs contain no white space or line endings, so nothing is escaped.
#[inline(never)]
pub(super) fn push_line(out: &mut Buffer, entry: &Entry<'_>) {
    let mut out = out.window(room_for(entry.loc()));
    out.put_slice(entry.loc().as_str().as_bytes());
    out.put(b"\n");
    out.close();
}

/// Ends the `loc` element and writes the `lastmod` element. `</loc><lastmod>` is one string, because copying one long
/// string is faster than copying two short ones.
#[inline(always)]
fn put_lastmod(out: &mut Window<'_>, lastmod: Option<&LastMod>) {
    if let Some(lastmod) = lastmod {
        out.put(b"</loc><lastmod>");
        out.put_with(|text| lastmod.encode(text));
        out.put(b"</lastmod>");
    } else {
        out.put(b"</loc>");
    }
}

/// Writes the `changefreq` element as one string, which is faster than copying two tags and a value.
#[inline(always)]
fn put_changefreq(out: &mut Window<'_>, changefreq: ChangeFreq) {
    match changefreq {
        ChangeFreq::Always => out.put(b"<changefreq>always</changefreq>"),
        ChangeFreq::Hourly => out.put(b"<changefreq>hourly</changefreq>"),
        ChangeFreq::Daily => out.put(b"<changefreq>daily</changefreq>"),
        ChangeFreq::Weekly => out.put(b"<changefreq>weekly</changefreq>"),
        ChangeFreq::Monthly => out.put(b"<changefreq>monthly</changefreq>"),
        ChangeFreq::Yearly => out.put(b"<changefreq>yearly</changefreq>"),
        ChangeFreq::Never => out.put(b"<changefreq>never</changefreq>"),
    }
}
