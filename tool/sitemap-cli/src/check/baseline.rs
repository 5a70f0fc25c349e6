//! Baseline files: JSON with one finding per line, so that version control shows what changed.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use serde::Deserialize;
use serde_json::json;
use sitemap_read::{Baseline, Known, Rule};

use crate::error::{Outcome, Stop};
use crate::url_map::UrlMap;

const FORMAT: &str = "sitemap baseline";
const VERSION: u64 = 1;

#[derive(Deserialize)]
struct Head {
    format: String,
    version: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    #[serde(rename = "format")]
    _format: String,
    #[serde(rename = "version")]
    _version: u64,
    findings: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    file: String,
    rule: String,
    message: String,
    count: u64,
}

/// Reads a baseline, with the URLs that stand for its own.
pub(super) fn read(path: &Path, map: &UrlMap) -> Outcome<Baseline> {
    let bytes = fs::read(path).map_err(|error| Stop::io("read", path, &error))?;
    parse(&bytes, map).map_err(|why| {
        Stop::new(format!(
            "cannot use the baseline `{0}`: {why}; write it again with `--write-baseline {0}`",
            path.display()
        ))
    })
}

fn parse(bytes: &[u8], map: &UrlMap) -> Result<Baseline, String> {
    let damaged = |error: serde_json::Error| format!("it is damaged: {error}");
    let head: Head = serde_json::from_slice(bytes).map_err(damaged)?;
    if head.format != FORMAT {
        return Err(format!("it has the format {:?} instead of {FORMAT:?}", head.format));
    }
    if head.version != VERSION {
        return Err(format!("it has version {}, and this command reads version {VERSION}", head.version));
    }
    let body: Body = serde_json::from_slice(bytes).map_err(damaged)?;
    let mut baseline = Baseline::new();
    for (row, number) in body.findings.iter().zip(1_u64..) {
        let rule: Rule = row.rule.parse().map_err(|error| format!("finding {number}: {error}"))?;
        if row.count == 0 {
            return Err(format!("finding {number}: `count` must be at least 1, found 0"));
        }
        let (file, message) = (map.text(&row.file), map.text(&row.message));
        baseline.add(Known { file: &file, rule, message: &message, count: row.count });
    }
    Ok(baseline)
}

/// Replaces a baseline file. If that fails, the old file stays unchanged.
pub(super) fn write(path: &Path, baseline: &Baseline) -> Outcome<()> {
    let failed = |error: &std::io::Error| Stop::io("write", path, error);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".sitemap-baseline");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // Teams keep this file under version control, so its permissions follow the `umask`.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder).map_err(|error| failed(&error))?;
    file.write_all(text(baseline).as_bytes()).map_err(|error| failed(&error))?;
    file.as_file().sync_all().map_err(|error| failed(&error))?;
    file.persist(path).map_err(|error| failed(&error.error))?;
    Ok(())
}

fn text(baseline: &Baseline) -> String {
    let rows: Vec<String> = baseline
        .iter()
        .map(|Known { file, rule, message, count }| {
            let [file, rule, message] = [file, rule.id(), message].map(|text| json!(text));
            format!("{{\"file\": {file}, \"rule\": {rule}, \"message\": {message}, \"count\": {count}}}")
        })
        .collect();
    let rows = if rows.is_empty() { String::new() } else { format!("\n{}\n", rows.join(",\n")) };
    format!("{{\"format\": \"{FORMAT}\", \"version\": {VERSION}, \"findings\": [{rows}]}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(bytes: &[u8]) -> Result<Baseline, String> {
        super::parse(bytes, &UrlMap::default())
    }

    #[test]
    fn a_written_baseline_is_read_again() {
        let mut baseline = Baseline::new();
        baseline.add(Known { file: "a \"b\".xml", rule: Rule::LocFragment, message: "é\n", count: 2 });
        baseline.add(Known { file: "b.xml", rule: Rule::Doctype, message: "x", count: 1 });
        assert_eq!(
            text(&baseline),
            "{\"format\": \"sitemap baseline\", \"version\": 1, \"findings\": [\n\
             {\"file\": \"a \\\"b\\\".xml\", \"rule\": \"loc-fragment\", \"message\": \"é\\n\", \"count\": 2},\n\
             {\"file\": \"b.xml\", \"rule\": \"doctype\", \"message\": \"x\", \"count\": 1}\n]}\n"
        );
        assert_eq!(parse(text(&baseline).as_bytes()), Ok(baseline));
        assert_eq!(parse(text(&Baseline::new()).as_bytes()), Ok(Baseline::new()));
    }

    #[test]
    fn every_truncation_is_an_error() {
        let mut baseline = Baseline::new();
        baseline.add(Known { file: "a.xml", rule: Rule::LocFragment, message: "m", count: 2 });
        let text = text(&baseline);
        for end in 0..text.len() - 1 {
            assert!(parse(&text.as_bytes()[..end]).is_err(), "{end}");
        }
    }

    #[test]
    fn other_files_are_errors() {
        for (text, why) in [
            ("", "it is damaged: EOF while parsing a value at line 1 column 0"),
            ("{}", "it is damaged: missing field `format` at line 1 column 2"),
            (
                "{\"format\":\"x\",\"version\":1,\"findings\":[]}",
                "it has the format \"x\" instead of \"sitemap baseline\"",
            ),
            (
                "{\"format\":\"sitemap baseline\",\"version\":2,\"rows\":[]}",
                "it has version 2, and this command reads version 1",
            ),
            (
                "{\"format\":\"sitemap baseline\",\"version\":1,\"findings\":[{\"file\":\"a\",\"rule\":\"lock\",\
                 \"message\":\"m\",\"count\":1}]}",
                "finding 1: unknown rule \"lock\"; use an id from the table of rules, such as `loc-too-long`",
            ),
            (
                "{\"format\":\"sitemap baseline\",\"version\":1,\"findings\":[{\"file\":\"a\",\"rule\":\"doctype\",\
                 \"message\":\"m\",\"count\":0}]}",
                "finding 1: `count` must be at least 1, found 0",
            ),
        ] {
            assert_eq!(parse(text.as_bytes()), Err(why.to_owned()));
        }
    }
}
