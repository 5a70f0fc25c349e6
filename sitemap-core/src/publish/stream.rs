//! Publishes from asynchronous code, with any runtime.
//!
//! The task that adds records also generates their text, which takes a few hundred nanoseconds per record. Everything
//! that can block (compression, storage operations and the commit) runs on the run's threads. If these threads
//! fall behind, the task waits without blocking its own thread.

use std::error::Error as StdError;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;

use futures_core::Stream;

use super::error::PublishError;
use super::fill::Output;
use super::replacement::Replacement;
use super::section::Section;
use super::set::NextSet;
use super::sitemap_set::SitemapSet;
use super::summary::Summary;
use crate::record::{HasSection, SitemapEntry};
use crate::threads::Pool;

impl SitemapSet {
    /// Starts a replacement from asynchronous code, like [`replace`](Self::replace). Only the run's threads access the
    /// storage. [`threads`](super::SetOptions::threads) sets how many threads compress.
    ///
    /// Add records with [`Section::add_stream`] and end with [`Replacement::commit_async`]; see the example of
    /// `add_stream`. The other methods also work, but may block.
    ///
    /// # Errors
    ///
    /// The same as for [`replace`](Self::replace).
    pub async fn replace_async(&self) -> Result<Replacement, PublishError> {
        let (options, storage) = (self.options().clone(), Arc::clone(self.storage()));
        let threads = options.threads;
        let started = Pool::new(1).run(move || Replacement::start(options, storage, threads)).await;
        started.unwrap_or_else(|| Err(PublishError::aborted()))
    }
}

impl Section<'_> {
    /// Adds all records of a fallible stream, such as the rows of a database.
    ///
    /// ```
    /// # use std::pin::Pin;
    /// # use std::task::{Context, Poll, Waker};
    /// # struct Rows(u32);
    /// # impl futures_core::Stream for Rows {
    /// #     type Item = Result<String, std::io::Error>;
    /// #     fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
    /// #         self.0 += 1;
    /// #         Poll::Ready((self.0 <= 3).then(|| Ok(format!("/posts/{}", self.0))))
    /// #     }
    /// # }
    /// # fn rows() -> Rows { Rows(0) }
    /// use sitemap_core::publish::PublishError;
    /// use sitemap_core::{Memory, Site, SitemapSet, Summary};
    ///
    /// async fn publish(storage: Memory) -> Result<Summary, PublishError> {
    ///     let site = Site::new("https://example.com")?;
    ///     let mut run = SitemapSet::builder(site).storage(storage).replace_async().await?;
    ///     run.section("posts")?.add_stream(rows()).await?;
    ///     run.commit_async().await
    /// }
    ///
    /// # fn block_on<T>(future: impl Future<Output = T>) -> T {
    /// #     let mut future = std::pin::pin!(future);
    /// #     loop {
    /// #         match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
    /// #             Poll::Ready(value) => break value,
    /// #             Poll::Pending => std::thread::yield_now(),
    /// #         }
    /// #     }
    /// # }
    /// let summary = block_on(publish(Memory::new()))?; // `block_on` of any runtime
    /// assert_eq!(summary.urls(), 3);
    /// # Ok::<(), PublishError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`try_add_all`](Self::try_add_all).
    pub async fn add_stream<T, E>(
        &mut self,
        records: impl Stream<Item = Result<T, E>>,
    ) -> Result<(), PublishError>
    where
        T: SitemapEntry,
        E: Into<Box<dyn StdError + Send + Sync>>,
    {
        let mut records = pin!(records);
        while let Some(record) = poll_fn(|context| records.as_mut().poll_next(context)).await {
            match record {
                Ok(record) => self.write(&record)?,
                Err(error) => return Err(self.source_failed(error)),
            }
            let threads = &self.output().compressors;
            if !threads.has_room() {
                poll_fn(|context| threads.poll_room(context)).await;
            }
        }
        Ok(())
    }
}

impl Replacement {
    /// Adds all records of a stream to the section that their type declares with `#[sitemap(section = "posts")]`, like
    /// [`Section::add_stream`].
    ///
    /// # Errors
    ///
    /// The same as for [`section`](Self::section) and [`Section::add_stream`].
    pub async fn add_stream<T, E>(
        &mut self,
        records: impl Stream<Item = Result<T, E>>,
    ) -> Result<(), PublishError>
    where
        T: HasSection,
        E: Into<Box<dyn StdError + Send + Sync>>,
    {
        self.section(T::SECTION)?.add_stream(records).await
    }

    /// Completes and publishes the set like [`commit`](Self::commit), without blocking the thread that polls the
    /// future.
    ///
    /// If the future is dropped before the run starts to replace files, the run stops and the published set stays as it
    /// is. If it is dropped later, the whole new set is published.
    ///
    /// # Errors
    ///
    /// The same as for [`commit`](Self::commit).
    pub async fn commit_async(self) -> Result<Summary, PublishError> {
        let mut given_up = AbortOnDrop(Some(Arc::clone(self.output())));
        let finished = Pool::new(1).run(move || self.commit()).await;
        given_up.0 = None;
        finished.unwrap_or_else(|| Err(PublishError::aborted()))
    }
}

struct AbortOnDrop(Option<Arc<Output<NextSet>>>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        if let Some(output) = self.0.take() {
            output.abort();
        }
    }
}
