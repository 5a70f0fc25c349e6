//! The files that a chapter includes.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// Returns a chapter's file and the files it includes, directly or indirectly. Like the chapter's path, the results are
/// relative to the folder of book.toml. Skips files outside this folder.
pub(crate) fn files(root: &Path, chapter: &Path) -> Vec<PathBuf> {
    let mut files = vec![normal(chapter)];
    let mut next = 0;
    while let Some(file) = files.get(next).cloned() {
        next += 1;
        let Ok(text) = fs::read_to_string(root.join(&file)) else { continue };
        let folder = file.parent().unwrap_or(Path::new(""));
        for included in included(&text) {
            let path = normal(&folder.join(included));
            if !path.starts_with("..") && !files.contains(&path) {
                files.push(path);
            }
        }
    }
    files
}

/// Returns the paths that a Markdown text includes, following mdBook's rules.
///
/// Source: [mdBook](https://rust-lang.github.io/mdBook/format/mdbook.html).
fn included(text: &str) -> Vec<&str> {
    let (mut paths, mut rest) = (Vec::new(), text);
    while let Some(start) = rest.find("{{") {
        let inside = &rest[start + 2..];
        // A backslash before `{{#` makes everything up to the last `}}` on the line plain text.
        if rest[..start].ends_with('\\')
            && inside.starts_with('#')
            && let Some(end) = inside.split('\n').next().and_then(|line| line.rfind("}}"))
        {
            rest = &inside[end + 2..];
            continue;
        }
        match directive(inside) {
            Some((path, after)) => {
                paths.extend(path);
                rest = after;
            }
            // If there are three braces, the directive may start at the second one.
            None => rest = &rest[start + 1..],
        }
    }
    paths
}

/// Parses the text after `{{`. If it is a directive, returns the path that it includes, if any, and the remaining text.
fn directive(text: &str) -> Option<(Option<&str>, &str)> {
    let text = text.trim_start().strip_prefix('#')?;
    let is_part = |ch: char| ch.is_ascii_alphanumeric() || ch == '_';
    let (name, text) = text.split_at(text.find(|ch| !is_part(ch))?);
    let (arguments, after) = text.split_at(text.find('}')?);
    let after = after.strip_prefix("}}")?;
    if name.is_empty() || !arguments.starts_with(char::is_whitespace) {
        return None;
    }
    // A playground's path is followed by its properties.
    let path = arguments.split_whitespace().next();
    let path = match name {
        // The path is followed by a colon, and by line numbers or an anchor.
        "include" | "rustdoc_include" => path.and_then(|path| path.split(':').next()),
        "playground" | "playpen" => path,
        _ => None,
    };
    Some((path.filter(|path| !path.is_empty()), after))
}

/// Removes `.` and `..` as far as possible.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if normal.file_name().is_some() => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_name_files() {
        for (text, paths) in [
            (
                "{{#include a.md}} {{#rustdoc_include ../b.rs:3:9}}{{#include c.rs:anchor}}",
                &["a.md", "../b.rs", "c.rs"][..],
            ),
            ("{{#playground f.rs editable}} {{#playpen g.rs}}", &["f.rs", "g.rs"]),
            ("{{ #include a.md }} {{\t\n#include b.md}}", &["a.md", "b.md"]),
            (
                "{{#include\ta.md}} {{#include\n  b.md\n}} {{#playground\r\nc.rs\teditable}}",
                &["a.md", "b.md", "c.rs"],
            ),
            ("{{{#include a.md}}} {{# {{#include b.md}}", &["a.md", "b.md"]),
            (
                "{{#title e}} {{#include }} {{#include}} {{#includes a}} {{#include a.md} }} {{#include :3}}",
                &[],
            ),
            ("{{include a.md}} {#include b.md}} {{#include c.md", &[]),
        ] {
            assert_eq!(included(text), paths, "{text}");
        }
    }

    #[test]
    fn a_backslash_makes_text_of_the_directives_of_a_line() {
        for (text, paths) in [
            ("\\{{#include a.md}}\n{{#include b.md}}", &["b.md"][..]),
            ("{{#include a.md}} \\{{#include b.md}} {{#include c.md}} d\n", &["a.md"]),
            // If the line has no `}}`, or there is a space, the backslash has no effect.
            ("\\{{#include\na.md}}", &["a.md"]),
            ("\\{{ #include a.md}}", &["a.md"]),
        ] {
            assert_eq!(included(text), paths, "{text}");
        }
    }

    #[test]
    fn paths_are_relative_to_the_folder_of_the_book() {
        assert_eq!(normal(Path::new("src/guide/../../listings/./a.rs")), Path::new("listings/a.rs"));
        assert_eq!(normal(Path::new("src/../../a.rs")), Path::new("../a.rs"));
    }

    #[test]
    fn files_that_include_each_other_are_found_once() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("src")).unwrap();
        for (name, text) in [
            ("src/a.md", "{{#include b.md}}"),
            ("src/b.md", "{{#include a.md}}{{#include ../c.rs}}{{#include ../../d}}"),
        ] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        assert_eq!(
            files(folder.path(), Path::new("src/a.md")),
            [Path::new("src/a.md"), Path::new("src/b.md"), Path::new("c.rs")]
        );
    }
}
