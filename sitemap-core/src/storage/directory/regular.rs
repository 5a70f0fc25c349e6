//! Opens regular files only. Anyone who may write to the directory can put a symbolic link, a FIFO or a device in the
//! place of a file: a link would lead to a file elsewhere, and a FIFO would block the run for ever.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a regular file without following a symbolic link.
pub(super) fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let file = without_following_links(options).open(path).map_err(explain)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_regular()) }
}

/// Returns the metadata of a regular file, or `None` if the path leads to nothing or to something else.
pub(super) fn metadata(path: &Path) -> io::Result<Option<Metadata>> {
    match path.symlink_metadata() {
        Ok(metadata) => Ok(Some(metadata).filter(Metadata::is_file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn without_following_links(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt as _;

    use rustix::fs::OFlags;

    // `NONBLOCK` matters only for a FIFO: opening one would otherwise wait for another process.
    options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed())
}

#[cfg(windows)]
fn without_following_links(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::windows::fs::OpenOptionsExt as _;

    /// Opens a link itself. `FILE_FLAG_OPEN_REPARSE_POINT` in the Windows API.
    const OPEN_REPARSE_POINT: u32 = 0x0020_0000;
    options.custom_flags(OPEN_REPARSE_POINT)
}

#[cfg(not(any(unix, windows)))]
fn without_following_links(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Replaces the error of a symbolic link, whose text would be "too many levels of symbolic links".
fn explain(error: io::Error) -> io::Error {
    #[cfg(unix)]
    if [rustix::io::Errno::LOOP, rustix::io::Errno::NXIO]
        .iter()
        .any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
    {
        return not_regular();
    }
    error
}

fn not_regular() -> io::Error {
    // Not `InvalidData`, which stands for a file with damaged content.
    io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file; remove it")
}
