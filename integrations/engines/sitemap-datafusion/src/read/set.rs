//! Finds a set's files and their sections.

use std::io::Read;

use datafusion::common::{exec_datafusion_err, exec_err};
use datafusion::error::{DataFusionError, Result};
use sitemap_core::publish::files::{ENTRY_POINT, index_file_name, is_recent_file};
use sitemap_core::publish::shards::PublishedShards;
use sitemap_read::{ChildPaths, DocumentKind, Item, ReadError, SitemapReader};

use crate::target::{Reader, Target};

/// The set's files with entries. The recent section is not included, because its pages are also in other files.
pub(super) enum Files {
    /// The names of the files that the indexes list.
    Listed(Vec<String>),
    /// What the manifest records about each file.
    Described(PublishedShards),
}

/// A set, with an open reader for its folder or bucket.
#[derive(Debug)]
pub(super) struct Set {
    target: Target,
    reader: Reader,
}

impl Set {
    pub(super) fn open(target: Target) -> Result<Self> {
        Self::with_reader(target, None)
    }

    /// Opens a set. If `reader` is given, shares it with other tasks.
    pub(super) fn with_reader(target: Target, reader: Option<Reader>) -> Result<Self> {
        let reader = reader.map_or_else(|| target.reader(), Ok)?;
        Ok(Self { target, reader })
    }

    /// Finds the set at a location. Returns its folder and the files that contain entries, in the order of the indexes.
    pub(super) fn find(location: Target) -> Result<(Target, Files)> {
        let (target, file) = location.split_file();
        let set = Self::open(target)?;
        if let Target::Site { url, .. } = &set.target {
            let files = Files::Listed(set.files_of_site(url)?);
            return Ok((set.target, files));
        }
        let files = match file.filter(|file| file != ENTRY_POINT) {
            Some(file) => Files::Listed(set.listed(&file)?),
            None => match set.described()? {
                Some(published) => Files::Described(published),
                None => Files::Listed(set.files_of_all_indexes()?),
            },
        };
        Ok((set.target, files))
    }

    /// Reads the set's manifest. Returns `None` if it does not describe the published files, for example because
    /// another program wrote the set.
    fn described(&self) -> Result<Option<PublishedShards>> {
        // Without this check, opening a set that does not exist would create an empty folder.
        let found = self.reader.exists(ENTRY_POINT);
        if !found.map_err(|error| exec_datafusion_err!("cannot look for `{ENTRY_POINT}`: {error}"))? {
            return Ok(None);
        }
        let external = |error| DataFusionError::External(Box::new(error));
        let storage = self.target.storage().map_err(external)?;
        Ok(PublishedShards::find(&*storage).unwrap_or_else(|error| {
            // A bucket's files may be public while its manifest is not.
            log::warn!("the manifest of the set cannot be read, so a query reads all files: {error}");
            None
        }))
    }

    /// Reads every index of the set, and returns the names of all listed files. If `sitemap.xml` cannot list all files,
    /// there are more indexes: `sitemap-2.xml`, `sitemap-3.xml` and so on.
    fn files_of_all_indexes(&self) -> Result<Vec<String>> {
        let mut files = self.listed(ENTRY_POINT)?;
        for number in 2.. {
            let name = index_file_name(number);
            let found = self.reader.exists(&name);
            if !found.map_err(|error| exec_datafusion_err!("cannot look for `{name}`: {error}"))? {
                break;
            }
            if !files.contains(&name) {
                files.extend(self.listed(&name)?);
            }
        }
        Ok(files)
    }

    /// Returns the names of the files that the index `name` lists. If `name` is not an index, returns just `name`.
    fn listed(&self, name: &str) -> Result<Vec<String>> {
        let mut reader = SitemapReader::from_reader(self.read(name)?);
        let failed = |error| exec_datafusion_err!("cannot read `{name}`: {error}");
        if reader.document().map_err(failed)?.kind != DocumentKind::Index {
            return Ok(vec![name.to_owned()]);
        }
        let urls = children(&mut reader).map_err(failed)?;
        let paths = ChildPaths::try_find(&urls, |path| self.reader.exists(path));
        let paths = paths
            .map_err(|error| exec_datafusion_err!("cannot find the files that `{name}` lists: {error}"))?;
        if let Some(path) = paths.shared(&urls).first() {
            return exec_err!(
                "`{name}` lists several URLs whose file is `{path}`; give each child a file of its own"
            );
        }
        urls.iter().map(|url| self.file_of(paths, name, url)).collect()
    }

    /// Returns the URLs of all files on a site, starting from a sitemap, a sitemap index, or the sitemaps listed in a
    /// robots.txt.
    fn files_of_site(&self, url: &str) -> Result<Vec<String>> {
        if !url.split(['?', '#']).next().is_some_and(|path| path.ends_with("/robots.txt")) {
            return self.files_at(url);
        }
        let mut robots_txt = Vec::new();
        let failed = |error| exec_datafusion_err!("cannot read `{url}`: {error}");
        self.read(url)?.read_to_end(&mut robots_txt).map_err(failed)?;
        let mut files = Vec::new();
        for line in sitemap_core::robots::sitemaps(&robots_txt) {
            let loc = line
                .loc()
                .map_err(|error| exec_datafusion_err!("`{url}` has an invalid `Sitemap:` line: {error}"))?;
            files.extend(self.files_at(loc.as_str())?);
        }
        if files.is_empty() {
            return exec_err!("`{url}` names no sitemap; write the URL of the sitemap");
        }
        // robots.txt may list both an index and one of its children.
        let mut seen = std::collections::HashSet::new();
        files.retain(|file| seen.insert(file.clone()));
        Ok(files)
    }

    /// Returns the URLs that the index at this URL lists. If it is not an index, returns just the URL.
    fn files_at(&self, url: &str) -> Result<Vec<String>> {
        let mut reader = SitemapReader::from_reader(self.read(url)?);
        let failed = |error| exec_datafusion_err!("cannot read `{url}`: {error}");
        if reader.document().map_err(failed)?.kind != DocumentKind::Index {
            return Ok(vec![url.to_owned()]);
        }
        children(&mut reader).map_err(failed)
    }

    /// Returns the file name of a child. If its URL contains escapes such as `%20`, the file may have either the
    /// escaped or the decoded name.
    fn file_of(&self, paths: ChildPaths, index: &str, url: &str) -> Result<String> {
        let mut candidates = paths.candidates(url);
        let Some(last) = candidates.pop() else {
            return exec_err!(
                "`{index}` lists {url:?}, which does not name a file in its folder; correct the index"
            );
        };
        for path in candidates {
            let found = self.reader.exists(&path);
            if found.map_err(|error| exec_datafusion_err!("cannot look for `{path}`: {error}"))? {
                return Ok(path);
            }
        }
        Ok(last)
    }

    /// Opens one file of the set.
    pub(super) fn read(&self, name: &str) -> Result<Box<dyn Read + Send>> {
        let opened = self.reader.open(name);
        opened.map_err(|error| exec_datafusion_err!("cannot open `{name}` in `{}`: {error}", self.target))
    }
}

/// Returns the URLs that an index lists, except for the recent section's.
fn children(reader: &mut SitemapReader<'_>) -> Result<Vec<String>, ReadError> {
    let mut urls = Vec::new();
    while let Some(item) = reader.next()? {
        if let Item::Sitemap(sitemap) = item
            && !is_recent_file(sitemap.loc().as_str())
        {
            urls.push(sitemap.loc().as_str().to_owned());
        }
    }
    Ok(urls)
}

/// Returns a file's section, for example `products` for `sitemap-products-00007-1-3f2a9c41d07be8aa.xml.gz`.
///
/// If the name doesn't come from one of this project's publishers, returns the name without `sitemap-` and the
/// extension.
pub(super) fn section_of(name: &str) -> &str {
    let name = name.rsplit('/').next().unwrap_or_default();
    sitemap_core::publish::files::section_of(name).unwrap_or_else(|| {
        let stem = name.split('.').next().unwrap_or_default();
        stem.strip_prefix("sitemap-").unwrap_or(stem)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections() {
        for (name, section) in [
            ("sitemap.xml", "sitemap"),
            ("sitemap-posts-1.xml", "posts"),
            ("sitemap-posts-12.xml.gz", "posts"),
            ("sitemap-posts-1-3f2a9c41.xml.gz", "posts"),
            ("sitemap-blog-posts-00007-1-3f2a9c41d07be8aa.xml.gz", "blog-posts"),
            ("sitemap-posts-00007-1-1234567812345678.xml.gz", "posts"),
            ("sitemap-posts-007-1.xml", "posts"),
            ("sitemap-news.xml", "news"),
            ("products.xml", "products"),
            ("de/sitemap-posts-1.xml", "posts"),
        ] {
            assert_eq!(section_of(name), section, "{name}");
        }
    }
}
