//! Tells files with pages from the recent section, which repeats entries of other files.

use sitemap_core::Loc;
use sitemap_core::publish::files::is_recent_file;

/// What the entries of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Pages,
    /// Repeats of entries in other files.
    Recent,
}

/// Returns what the entries of a file are, from its URL or, without one, from its name.
pub(super) fn role_of(served_at: Option<&Loc<'_>>, name: &str) -> Role {
    let place = served_at.map_or(name, Loc::as_str);
    if is_recent_file(place) { Role::Recent } else { Role::Pages }
}
