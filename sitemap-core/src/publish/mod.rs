//! Many documents, one set: sections, files, index, summary.

mod commit;
mod file;
mod name;
mod options;
mod publisher;
mod section;
mod sink;
mod storage;
mod summary;

pub use name::SectionNameError;
pub use options::{IndexLastMod, OnInvalid, PublisherBuilder};
pub use publisher::Publisher;
pub use section::Section;
pub use summary::{PublishedFile, Skipped, Summary};
