//! Recognises files of the recent section, which repeats recently changed entries of other files.

use sitemap_core::Loc;
use sitemap_core::reading::is_recent_file;

/// Returns `true` if the URL belongs to a file of the recent section. If there is no URL, checks the file name instead.
pub(super) fn is_recent(served_at: Option<&Loc<'_>>, name: &str) -> bool {
    is_recent_file(served_at.map_or(name, Loc::as_str))
}
