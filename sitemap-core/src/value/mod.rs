//! The values of an entry: URL, date, change frequency and priority. These types only hold valid values. A [`Site`]
//! decides which pages a sitemap may list.
//!
//! | what | where |
//! |---|---|
//! | URLs: parsing, their normal form, hosts, constants | `loc`, `special_characters` |
//! | dates: the six forms, the calendar, conversions from other types | `lastmod`, `lastmod_from` |
//! | the other values | `changefreq`, `priority` |
//! | what errors quote, and JSON | `excerpt`, `serde` |

mod changefreq;
mod digits;
mod excerpt;
mod lastmod;
mod lastmod_from;
pub(crate) mod loc;
mod priority;
#[cfg(feature = "serde")]
pub(crate) mod serde;
mod site;
mod special_characters;

pub use changefreq::{ChangeFreq, ChangeFreqError, ToChangeFreq};
pub use lastmod::{LastMod, LastModError, LastModErrorKind, Precision};
pub use lastmod_from::ToLastMod;
pub use loc::{Loc, LocError, LocErrorKind, ToLoc};
pub use priority::{Priority, PriorityError, ToPriority};
pub(crate) use site::path_on_site;
pub use site::{Site, SiteError};

pub(crate) use loc::{is_dot_segment, push_percent};
pub(crate) use special_characters::Specials;
