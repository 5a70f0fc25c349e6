//! Sets the permissions of files.

use std::fs::{self, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
use std::path::Path;

use super::regular;

/// The mode bits for reading, and those for all permissions.
const READ: u32 = 0o444;
const ALL: u32 = 0o777;

/// Prepares a new file to replace the file at `to`: gives it the owner, group and permissions of that file. If there is
/// no such file, everyone who can read the directory can read the new file. `mode`, if set, overrides the permissions.
pub(super) fn prepare(from: &Path, to: &Path, directory: &Path, mode: Option<u32>) -> io::Result<()> {
    let old = regular::metadata(to)?;
    let file = regular::open(from, OpenOptions::new().read(true))?;
    let new = file.metadata()?;
    if let Some(old) = &old {
        give_to(&file, &new, old);
    }
    let mode = match (mode, old) {
        (Some(mode), _) => mode,
        (None, Some(old)) => old.mode() & ALL,
        (None, None) => fs::metadata(directory)?.mode() & READ | 0o600,
    };
    // Changing the owner can clear mode bits, so the mode is set last.
    if file.metadata()?.mode() & ALL == mode {
        Ok(())
    } else {
        file.set_permissions(Permissions::from_mode(mode))
    }
}

/// Gives a file the owner and group of another file. Only root may change the owner, and other users may only choose
/// among their own groups. So errors are ignored, and the file then belongs to the user of this run.
fn give_to(file: &fs::File, new: &Metadata, old: &Metadata) {
    let owner = Some(old.uid()).filter(|owner| *owner != new.uid());
    let group = Some(old.gid()).filter(|group| *group != new.gid());
    if group.is_some() {
        let _ = fchown(file, None, group);
    }
    if owner.is_some() {
        let _ = fchown(file, owner, None);
    }
}
