//! Publishes from asynchronous code, with any runtime.
//!
//! The task that adds records also generates their text, which takes a few hundred nanoseconds per record. Everything
//! that can block (compression, storage operations and the commit) runs on the publisher's threads. If these threads
//! fall behind, the task waits without blocking its own thread.

use std::error::Error as StdError;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;

use futures_core::Stream;

use super::buckets::Routing;
use super::error::PublishError;
use super::fill::Output;
use super::options::PublisherBuilder;
use super::publisher::Publisher;
use super::section::Section;
use super::set::NextSet;
use super::summary::Summary;
use crate::record::{HasSection, SitemapEntry};
use crate::storage::Storage;
use crate::threads::Pool;

impl PublisherBuilder {
    /// Starts publishing from asynchronous code, like [`to_storage`](Self::to_storage). Only the publisher's threads
    /// access the storage. [`threads`](Self::threads) sets how many threads compress.
    ///
    /// Add records with [`Section::add_stream`] and end with [`Publisher::finish_async`]; see the example of
    /// `add_stream`. The other methods also work, but may block.
    ///
    /// # Errors
    ///
    /// The same as for [`to_storage`](Self::to_storage).
    pub async fn to_storage_async(self, storage: impl Storage + 'static) -> Result<Publisher, PublishError> {
        let threads = self.threads;
        let started = Pool::new(1).run(move || Publisher::start(self, Arc::new(storage), threads)).await;
        started.unwrap_or_else(|| Err(PublishError::aborted()))
    }
}

impl<R> Section<'_, R> {
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
    /// use sitemap_core::{Memory, Publisher, Site, Summary};
    ///
    /// async fn publish(storage: Memory) -> Result<Summary, PublishError> {
    ///     let site = Site::new("https://example.com")?;
    ///     let mut publisher = Publisher::builder(site).to_storage_async(storage).await?;
    ///     publisher.section("posts")?.add_stream(rows()).await?;
    ///     publisher.finish_async().await
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
        R: Routing<T>,
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

impl Publisher {
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

    /// Completes and publishes the set like [`finish`](Self::finish), without blocking the thread that polls the
    /// future.
    ///
    /// If the future is dropped before the run starts to replace files, the run stops and the published set stays as it
    /// is. If it is dropped later, the whole new set is published.
    ///
    /// # Errors
    ///
    /// The same as for [`finish`](Self::finish).
    pub async fn finish_async(self) -> Result<Summary, PublishError> {
        let mut given_up = AbortOnDrop(Some(Arc::clone(self.output())));
        let finished = Pool::new(1).run(move || self.finish()).await;
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
