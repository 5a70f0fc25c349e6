//! The files of a set: their names, media types and digests.

pub use super::set::digest::content_digest;
pub use super::set::manifest::kept_files;
pub use super::set::names::{
    ENTRY_POINT, FEED, JOURNAL, MANIFEST, RECENT, content_type, index_file_name, is_recent_file, is_set_file,
    section_of,
};
