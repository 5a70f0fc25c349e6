//! Recognises files of the recent section, which repeats entries of other files.

use sitemap_core::Loc;
use sitemap_core::reading::is_recent_file;

/// Returns `true` for a file of the recent section, by its URL or, without one, by its name.
pub(super) fn is_recent(served_at: Option<&Loc<'_>>, name: &str) -> bool {
    is_recent_file(served_at.map_or(name, Loc::as_str))
}
