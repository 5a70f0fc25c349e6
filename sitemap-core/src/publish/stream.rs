//! Publishing from asynchronous code, whatever its runtime.
//!
//! Pages are made by the task that adds them, which takes some hundred nanoseconds each. All that can
//! block (compressing, the storage, the end of the set) happens on threads of the publisher's own; a
//! task that is ahead of them waits without blocking its thread.

use std::error::Error as StdError;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;

use futures_core::Stream;

use super::options::PublisherBuilder;
use super::publisher::Publisher;
use super::run::Run;
use super::section::Section;
use super::shard::{ShardKey, Sharded};
use super::storage::Storage;
use super::summary::Summary;
use crate::entry::SitemapEntry;
use crate::error::{Error, ErrorKind};

impl PublisherBuilder {
    /// As [`to_storage`](Self::to_storage), for asynchronous code: whatever touches the storage happens
    /// on other threads, as many as [`threads`](Self::threads) says.
    ///
    /// Add records by [`Section::add_stream`] and end with [`Publisher::finish_async`]; the other
    /// methods work too, but may block.
    ///
    /// # Errors
    ///
    /// As [`to_storage`](Self::to_storage).
    pub async fn to_storage_async(self, storage: impl Storage + 'static) -> Result<Publisher, Error> {
        on_thread(move || {
            let threads = self.threads;
            Publisher::new(self, Arc::new(storage), threads)
        })
        .await?
    }
}

impl Section<'_> {
    /// Adds all records of a stream that can fail, such as rows of a database.
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
    /// use sitemap_core::{Memory, Publisher, Site, Summary};
    ///
    /// async fn publish(storage: Memory) -> Result<Summary, sitemap_core::Error> {
    ///     let site = Site::new("https://example.com")?;
    ///     let mut publisher = Publisher::builder(site).to_storage_async(storage).await?;
    ///     publisher.section("posts")?.add_stream(rows()).await?;
    ///     publisher.finish_async().await
    /// }
    /// # let mut future = std::pin::pin!(publish(Memory::new()));
    /// # let summary = loop {
    /// #     match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
    /// #         Poll::Ready(summary) => break summary?,
    /// #         Poll::Pending => std::thread::yield_now(),
    /// #     }
    /// # };
    /// # assert_eq!(summary.urls(), 3);
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`try_add_all`](Self::try_add_all).
    pub async fn add_stream<T, E>(&mut self, records: impl Stream<Item = Result<T, E>>) -> Result<(), Error>
    where
        T: SitemapEntry,
        E: Into<Box<dyn StdError + Send + Sync>>,
    {
        let run = Arc::clone(self.run());
        let take = |record: Result<T, E>| match record {
            Ok(record) => self.write(&record),
            Err(error) => Err(self.source_error(error)),
        };
        drain(records, &run, take).await
    }
}

impl<F> Sharded<'_, F> {
    /// Adds all records of a stream that can fail, as [`Section::add_stream`] does.
    ///
    /// # Errors
    ///
    /// As [`try_add_all`](Self::try_add_all).
    pub async fn add_stream<T, E>(&mut self, records: impl Stream<Item = Result<T, E>>) -> Result<(), Error>
    where
        T: SitemapEntry,
        E: Into<Box<dyn StdError + Send + Sync>>,
        F: Fn(&T) -> ShardKey,
    {
        let run = Arc::clone(self.run());
        let take = |record: Result<T, E>| match record {
            Ok(record) => self.write(&record),
            Err(error) => Err(self.source_error(error)),
        };
        drain(records, &run, take).await
    }
}

async fn drain<R>(
    records: impl Stream<Item = R>,
    run: &Run,
    mut take: impl FnMut(R) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut records = pin!(records);
    while let Some(record) = poll_fn(|context| records.as_mut().poll_next(context)).await {
        take(record)?;
        if let Some(queue) = run.queue.as_ref().filter(|queue| !queue.has_room()) {
            poll_fn(
                |context| {
                    if queue.has_room_or_wakes(context.waker()) { Poll::Ready(()) } else { Poll::Pending }
                },
            )
            .await;
        }
    }
    Ok(())
}

impl Publisher {
    /// As [`finish`](Self::finish), without blocking the thread it is polled on.
    ///
    /// If the future is dropped before it is ready, the set is given up and the old one stays, unless the
    /// files were being put in place already: then the new set comes to stand as a whole.
    ///
    /// # Errors
    ///
    /// As [`finish`](Self::finish).
    pub async fn finish_async(self) -> Result<Summary, Error> {
        let mut given_up = AbortOnDrop(Some(Arc::clone(self.run())));
        let summary = on_thread(move || self.finish()).await?;
        given_up.0 = None;
        summary
    }
}

struct AbortOnDrop(Option<Arc<Run>>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        if let Some(run) = self.0.take() {
            run.give_up();
        }
    }
}

/// Calls a function that may block on a thread of its own.
async fn on_thread<T: Send + 'static>(call: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    let shared = Arc::new(Mutex::new(Slot { value: None, is_over: false, waker: None }));
    let sender = Sender(Arc::clone(&shared));
    thread::Builder::new()
        .name("sitemap".to_owned())
        .spawn(move || {
            let value = call();
            sender.slot(|slot| slot.value = Some(value));
        })
        .map_err(|error| Error::io("begin a thread for", None, error))?;
    Receiver(shared).await
}

/// What a thread hands over.
struct Slot<T> {
    value: Option<T>,
    is_over: bool,
    waker: Option<Waker>,
}

struct Sender<T>(Arc<Mutex<Slot<T>>>);

impl<T> Sender<T> {
    fn slot<R>(&self, look: impl FnOnce(&mut Slot<T>) -> R) -> R {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<T> Drop for Sender<T> {
    /// However the thread ends.
    fn drop(&mut self) {
        let waker = self.slot(|slot| {
            slot.is_over = true;
            slot.waker.take()
        });
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

struct Receiver<T>(Arc<Mutex<Slot<T>>>);

impl<T> Future for Receiver<T> {
    type Output = Result<T, Error>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if slot.is_over {
            return Poll::Ready(slot.value.take().ok_or_else(|| ErrorKind::Aborted.into()));
        }
        slot.waker = Some(context.waker().clone());
        Poll::Pending
    }
}
