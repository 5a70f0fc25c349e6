//! Opens regular files only. Anyone who can write to the directory can put a symbolic link, a FIFO or a device in the
//! place of a file: a link would redirect the run to a file elsewhere, and a FIFO would block it for ever.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a regular file without following a symbolic link.
pub(super) fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let file = without_following_links(options).open(path).map_err(explain)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_regular()) }
}

/// Returns the metadata of a regular file, or `None` if there is nothing at the path, or something else.
pub(super) fn metadata(path: &Path) -> io::Result<Option<Metadata>> {
    match path.symlink_metadata() {
        Ok(metadata) => Ok(Some(metadata).filter(Metadata::is_file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Checks that a rename can replace whatever is at the path.
pub(super) fn check_replaceable(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => {
            Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory; remove it"))
        }
        Ok(_) => check_attributes(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Checks that a file doesn't have an attribute that forbids replacing it.
#[cfg(target_os = "linux")]
fn check_attributes(path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};

    // Kernels and file systems without such attributes set none.
    let Ok(found) = statx(CWD, path, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::BASIC_STATS) else {
        return Ok(());
    };
    if found.stx_attributes.intersects(StatxAttributes::IMMUTABLE | StatxAttributes::APPEND) {
        let message = "it is immutable or append-only; allow changes with `chattr -i -a`";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn check_attributes(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn without_following_links(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt as _;

    use rustix::fs::OFlags;

    // `NONBLOCK` matters only for a FIFO, where opening would otherwise wait for another process.
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

/// Replaces the system's error for a file that isn't regular, such as "too many levels of symbolic links", with a
/// clearer one.
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
    // Not `InvalidData`, which means a file with damaged content.
    io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file; remove it")
}
