//! The end of a run: finished files get their names, the index last.

use super::file::WrittenFile;
use super::name;
use super::options::{IndexLastMod, PublisherBuilder};
use super::sink::plain;
use super::storage::Directory;
use super::summary::{PublishedFile, SkippedRecords, Summary};
use crate::error::Error;
use crate::value::LastMod;
use crate::write::{Fit, Format, begin_index, push_sitemap};

pub(super) fn commit(
    options: &PublisherBuilder,
    directory: &Directory,
    files: Vec<WrittenFile>,
    skipped: SkippedRecords,
) -> Result<Summary, Error> {
    let entry_point = options.site.file(name::ENTRY_POINT)?;
    let is_single = files.len() == 1 && options.write.get_format() == Format::Xml;
    let (files, indexes) = if is_single {
        (place_single(options, directory, files)?, Vec::new())
    } else {
        let files = place_files(options, directory, files)?;
        let indexes = place_indexes(options, directory, &files)?;
        (files, indexes)
    };
    Ok(Summary { entry_point, files, indexes, skipped })
}

/// The only file is the entry point itself.
fn place_single(
    options: &PublisherBuilder,
    directory: &Directory,
    files: Vec<WrittenFile>,
) -> Result<Vec<PublishedFile>, Error> {
    let mut published = Vec::new();
    for mut file in files {
        file.file = plain(directory, file.file, file.gzip, name::ENTRY_POINT)?;
        name::ENTRY_POINT.clone_into(&mut file.name);
        published.push(place(options, directory, file)?);
    }
    directory.sync()?;
    Ok(published)
}

fn place_files(
    options: &PublisherBuilder,
    directory: &Directory,
    files: Vec<WrittenFile>,
) -> Result<Vec<PublishedFile>, Error> {
    let published =
        files.into_iter().map(|file| place(options, directory, file)).collect::<Result<_, _>>()?;
    // Before any index names them.
    directory.sync()?;
    Ok(published)
}

fn place(
    options: &PublisherBuilder,
    directory: &Directory,
    file: WrittenFile,
) -> Result<PublishedFile, Error> {
    let loc = options.site.file(&file.name)?;
    let placed = directory.place(file.file, &file.name)?;
    let lastmod = match options.index_lastmod {
        IndexLastMod::FileChanged => LastMod::try_from(placed.modified).ok(),
        IndexLastMod::NewestPage => file.newest,
        IndexLastMod::Omit => None,
    };
    Ok(PublishedFile {
        loc,
        name: file.name,
        items: file.written.items,
        bytes: file.written.bytes,
        stored_bytes: placed.len,
        lastmod,
        changed: placed.changed,
    })
}

/// All files in as many indexes as they need; the entry point is the first and gets its name last.
fn place_indexes(
    options: &PublisherBuilder,
    directory: &Directory,
    files: &[PublishedFile],
) -> Result<Vec<PublishedFile>, Error> {
    let mut indexes = Vec::new();
    let mut rest = files;
    while !rest.is_empty() {
        let name = name::of_index(indexes.len() + 1);
        let mut index = begin_index(directory.create(&name)?, options.write);
        let mut listed = 0;
        for file in rest {
            match push_sitemap(&mut index, &file.loc, file.lastmod)? {
                Fit::Written => listed += 1,
                Fit::Full => break,
            }
        }
        rest = &rest[listed..];
        let (file, written) = index.finish()?;
        file.sync()?;
        indexes.push(WrittenFile { name, file, written, newest: None, gzip: false });
    }
    let mut placed = Vec::new();
    for index in indexes.into_iter().rev() {
        placed.push(place(options, directory, index)?);
    }
    placed.reverse();
    directory.sync()?;
    Ok(placed)
}
