//! The book's pages.

use std::collections::HashSet;
use std::path::Path;

use crate::context::{Chapter, Context, Item};
use crate::failure::Failure;
use crate::options::{Options, Urls};

/// A page of the book.
#[derive(Debug)]
pub(crate) struct Page<'a> {
    /// The URL's path relative to the book, without escapes. Empty for the front page.
    pub(crate) url_path: String,
    /// The file, relative to the source folder.
    pub(crate) source: Option<&'a Path>,
    /// The Markdown text.
    pub(crate) content: &'a str,
}

/// The pages to list in the sitemap, in the order of the book.
#[derive(Debug)]
pub(crate) struct Pages<'a>(pub(crate) Vec<Page<'a>>);

impl<'a> Pages<'a> {
    pub(crate) fn of(context: &'a Context, options: &Options) -> Result<Self, Failure> {
        let mut chapters = Vec::new();
        collect(&context.items, &mut chapters);
        let chapters: Vec<_> = chapters
            .into_iter()
            .filter_map(|chapter| Some((html_path(chapter.path.as_deref()?), chapter)))
            .collect();
        let front = front(&chapters);
        let not_found = not_found_page(context);
        let mut exclude = Exclude::new(&options.exclude);
        let mut seen = HashSet::new();
        let mut pages = Vec::new();
        for (number, (html, chapter)) in chapters.iter().enumerate() {
            let source = chapter.source_path.as_deref();
            if exclude.matches(source.or(chapter.path.as_deref())) || Some(html) == not_found.as_ref() {
                continue;
            }
            let url_path = if number == front { String::new() } else { url_path(html, options.urls) };
            if seen.insert(url_path.clone()) {
                pages.push(Page { url_path, source, content: &chapter.content });
            }
        }
        exclude.check()?;
        Ok(Self(pages))
    }
}

fn collect<'a>(items: &'a [Item], chapters: &mut Vec<&'a Chapter>) {
    for item in items {
        if let Item::Chapter(chapter) = item {
            chapters.push(chapter);
            collect(&chapter.sub_items, chapters);
        }
    }
}

/// Returns the path of a chapter's HTML file, with forward slashes.
fn html_path(path: &Path) -> String {
    path.with_extension("html").to_string_lossy().replace('\\', "/")
}

/// Returns the index of the chapter that mdBook writes to `index.html`: the chapter with this name, or else the first.
/// In the second case, mdBook also writes the same content to the chapter's own file.
fn front(chapters: &[(String, &Chapter)]) -> usize {
    chapters.iter().position(|(html, _)| html == "index.html").unwrap_or(0)
}

/// Returns the path of the 404 page. It replaces a chapter with the same name.
fn not_found_page(context: &Context) -> Option<String> {
    match context.html.input_404.as_deref() {
        Some("") => None,
        Some(name) => Some(name.replace(".md", ".html")),
        None => Some("404.html".to_owned()),
    }
}

fn url_path(html: &str, urls: Urls) -> String {
    if urls == Urls::Links {
        return html.to_owned();
    }
    if let Some(folder) = html.strip_suffix("index.html")
        && (folder.is_empty() || folder.ends_with('/'))
    {
        return folder.to_owned();
    }
    match urls {
        Urls::Clean => html.strip_suffix(".html").unwrap_or(html).to_owned(),
        _ => html.to_owned(),
    }
}

/// The chapters to leave out of the sitemap.
struct Exclude<'a> {
    /// The paths of files and folders (which end with a slash), and whether each of them has matched a chapter.
    paths: Vec<(&'a str, bool)>,
}

impl<'a> Exclude<'a> {
    fn new(paths: &'a [String]) -> Self {
        Self { paths: paths.iter().map(|path| (path.as_str(), false)).collect() }
    }

    fn matches(&mut self, source: Option<&Path>) -> bool {
        let Some(source) = source else { return false };
        let source = source.to_string_lossy().replace('\\', "/");
        let mut found = false;
        for (path, used) in &mut self.paths {
            if *path == source || (path.ends_with('/') && source.starts_with(*path)) {
                *used = true;
                found = true;
            }
        }
        found
    }

    fn check(&self) -> Result<(), Failure> {
        let Some((path, _)) = self.paths.iter().find(|(_, used)| !used) else { return Ok(()) };
        Err(Failure::new(format!(
            "`exclude` lists `{path}`, which no chapter has; give the path of a chapter as in SUMMARY.md, or of a folder \
             with a slash at the end"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_end_as_the_server_has_them() {
        for (html, links, folders, clean) in [
            ("a/index.html", "a/index.html", "a/", "a/"),
            ("a/b.html", "a/b.html", "a/b.html", "a/b"),
            ("myindex.html", "myindex.html", "myindex.html", "myindex"),
        ] {
            assert_eq!(url_path(html, Urls::Links), links);
            assert_eq!(url_path(html, Urls::Folders), folders);
            assert_eq!(url_path(html, Urls::Clean), clean);
        }
    }
}
