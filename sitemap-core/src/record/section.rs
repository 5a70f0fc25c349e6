//! The section of a record type.

use std::rc::Rc;
use std::sync::Arc;

use super::SitemapEntry;

/// A record type whose pages all belong to the same section of the set.
///
/// `#[sitemap(section = "posts")]` on a type derives this trait. You can then call
/// [`Replacement::add_all`](crate::Replacement::add_all) without a section name.
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use sitemap_core::record::HasSection;
/// use sitemap_core::{Memory, Site, SitemapEntry, SitemapSet};
///
/// #[derive(SitemapEntry)]
/// #[sitemap(loc = "/posts/{id}", section = "posts")]
/// struct Post {
///     id: u32,
/// }
///
/// let mut run = SitemapSet::builder(Site::new("https://example.com")?).storage(Memory::new()).replace()?;
/// run.add_all([Post { id: 1 }, Post { id: 2 }])?;
/// run.section("pages")?.add("/")?;
/// let summary = run.commit()?;
/// assert_eq!(Post::SECTION, "posts");
/// assert_eq!(summary.files()[0].name(), "sitemap-posts-1.xml");
/// # }
/// # Ok::<(), sitemap_core::PublishError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` names no section of the sitemap",
    label = "a record type without a section",
    note = "write `#[sitemap(section = \"…\")]` on the type, or name the section first, as in `section(\"…\")`"
)]
pub trait HasSection: SitemapEntry {
    /// The name of the section: 1 to 100 of the characters `A-Z a-z 0-9 - _`.
    const SECTION: &'static str;
}

macro_rules! through_pointer {
    ($($pointer:ty),+) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: HasSection + ?Sized> HasSection for $pointer {
            const SECTION: &'static str = T::SECTION;
        }
    )+};
}

through_pointer!(&T, Box<T>, Rc<T>, Arc<T>);
