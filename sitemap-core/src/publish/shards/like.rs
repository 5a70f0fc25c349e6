//! Settings for files like those of a published set.

use super::published::PublishedShards;
use crate::dialect::Dialect;
use crate::publish::options::PublisherBuilder;

impl PublisherBuilder {
    /// Sets the dialect of files, and lowers the number of their URLs, to those of a section of a published set, for a program
    /// that writes some of its files again.
    ///
    /// ```
    /// use sitemap_core::publish::shards::PublishedShards;
    /// use sitemap_core::{Dialect, Memory, Publisher, Site};
    ///
    /// let (storage, builder) = (Memory::new(), Publisher::builder(Site::new("https://example.com")?));
    /// let mut publisher = builder.clone().dialect(Dialect::V0_84).to_storage(storage.clone())?;
    /// publisher.section("posts")?.add("/tea")?;
    /// publisher.finish()?;
    ///
    /// let published = PublishedShards::read(&storage, builder.site())?;
    /// let mut shards = builder.like_section(&published, "posts").write_shards(storage.clone(), "posts", 1)?;
    /// shards.add(0, "/tea")?;
    /// let xml = storage.get(shards.finish()?.rows()[0].name()).unwrap_or_default();
    /// assert!(String::from_utf8_lossy(&xml).contains("xmlns=\"http://www.google.com/schemas/sitemap/0.84\""));
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    pub fn like_section(self, published: &PublishedShards, section: &str) -> Self {
        let dialect = published.dialect(section);
        let builder = if dialect == Dialect::default() { self } else { self.dialect(dialect) };
        let mut limits = builder.write.limits();
        limits.urls = limits.urls.min(published.max_urls(section));
        builder.lower_limits(limits)
    }
}
