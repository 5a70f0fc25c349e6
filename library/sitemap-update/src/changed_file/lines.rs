//! The lines of the file of changed pages.

use std::io::{self, Write};

use sitemap_core::publish::feed::FeedChange;
use sitemap_core::{LastMod, Loc};

/// Writes a change as a line. A URL contains no character that JSON must escape.
pub(super) fn write(
    out: &mut impl Write,
    loc: &str,
    is_removal: bool,
    lastmod: Option<LastMod>,
) -> io::Result<()> {
    let op = if is_removal { "remove" } else { "upsert" };
    match lastmod {
        Some(lastmod) => writeln!(out, r#"{{"op":"{op}","loc":"{loc}","lastmod":"{lastmod}"}}"#),
        None => writeln!(out, r#"{{"op":"{op}","loc":"{loc}"}}"#),
    }
}

/// Parses a line written by [`write`].
pub(super) fn parse(line: &str) -> Option<FeedChange> {
    let rest = line.strip_prefix(r#"{"op":""#)?.strip_suffix(r#""}"#)?;
    let (op, rest) = rest.split_once(r#"","loc":""#)?;
    let (loc, lastmod) = match rest.split_once(r#"","lastmod":""#) {
        Some((loc, lastmod)) => (loc, Some(lastmod.parse().ok()?)),
        None => (rest, None),
    };
    let loc = Loc::parse(loc.to_owned()).ok()?;
    match op {
        "upsert" => Some(FeedChange::Upsert(loc, lastmod)),
        "remove" => Some(FeedChange::Remove(loc)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_can_be_read_again() {
        let loc = Loc::parse("https://example.com/\"a\\b\"?ü=1&b='2'").unwrap();
        let date: LastMod = "2026-01-31T10:00:00+01:00".parse().unwrap();
        for change in [
            FeedChange::Upsert(loc.clone(), Some(date)),
            FeedChange::Upsert(loc.clone(), None),
            FeedChange::Remove(loc),
        ] {
            let mut line = Vec::new();
            let (loc, is_removal, lastmod) = match &change {
                FeedChange::Upsert(loc, lastmod) => (loc, false, *lastmod),
                FeedChange::Remove(loc) => (loc, true, None),
            };
            write(&mut line, loc.as_str(), is_removal, lastmod).unwrap();
            let line = String::from_utf8(line).unwrap();
            assert_eq!(parse(line.trim_end()), Some(change), "{line}");
        }
        for line in ["", "{}", r#"{"op":"add","loc":"https://example.com/"}"#, r#"{"op":"remove","loc":"/"}"#]
        {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
