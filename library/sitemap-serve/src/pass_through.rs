//! Responses for frameworks without `tower`, where the application answers all other requests.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::Response;
use sitemap_core::threads::Task;

use super::service::{Answer, SitemapService, failed, header_map, method_of};

impl SitemapService {
    /// Like [`respond_to`](Self::respond_to), but returns `None` if the set has no such file, so the application can
    /// respond instead.
    ///
    /// ```
    /// use sitemap_core::Memory;
    /// use sitemap_serve::SitemapService;
    ///
    /// let service = SitemapService::new(Memory::new());
    /// let respond = |path| service.respond_or_pass("GET", path, [("accept", "*/*")]);
    /// assert_eq!(respond("/sitemap.css").unwrap().status(), 200);
    /// assert_eq!(respond("/sitemap.xml").unwrap().status(), 503, "the set comes later");
    /// assert!(respond("/about").is_none());
    /// ```
    #[must_use]
    pub fn respond_or_pass<N: AsRef<[u8]>, V: AsRef<[u8]>>(
        &self,
        method: &str,
        path: &str,
        headers: impl IntoIterator<Item = (N, V)>,
    ) -> Option<Response<Bytes>> {
        if !self.is_path_of_set(path) {
            return None;
        }
        passed(self.answer(&method_of(method), path, &header_map(headers), true))
    }

    /// Like [`respond_or_pass`](Self::respond_or_pass), but does not block: files are read and compressed on the
    /// service's threads. The future runs on any async runtime.
    ///
    /// The headers are read only if a set could have a file at this path, so other requests have little overhead.
    ///
    /// ```
    /// use sitemap_core::Memory;
    /// use sitemap_serve::SitemapService;
    ///
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// let service = SitemapService::new(Memory::new());
    /// let respond = |path| service.respond_or_pass_async("GET", path, [("accept", "*/*")]);
    /// assert_eq!(respond("/sitemap.css").await.unwrap().status(), 200);
    /// assert!(respond("/about").await.is_none());
    /// # });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn respond_or_pass_async<N: AsRef<[u8]>, V: AsRef<[u8]>>(
        &self,
        method: &str,
        path: &str,
        headers: impl IntoIterator<Item = (N, V)>,
    ) -> PassFuture {
        if !self.is_path_of_set(path) {
            return PassFuture(State::Ready(None));
        }
        let (method, headers) = (method_of(method), header_map(headers));
        PassFuture(match self.answer(&method, path, &headers, false) {
            Answer::NotReady(lane) => State::Waiting(self.answer_elsewhere(lane, &method, path, &headers)),
            answer => State::Ready(passed(answer)),
        })
    }
}

fn passed(answer: Answer) -> Option<Response<Bytes>> {
    match answer {
        Answer::Response(response) => Some(response),
        Answer::NotOurs | Answer::NotReady(_) => None,
    }
}

/// The future returned by [`SitemapService::respond_or_pass_async`]. Resolves to a response, or to `None` if the set
/// has no such file.
///
/// ```
/// use sitemap_core::Memory;
/// use sitemap_serve::{PassFuture, SitemapService};
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let service = SitemapService::new(Memory::new());
/// let future: PassFuture = service.respond_or_pass_async("GET", "/", [("accept", "*/*")]);
/// assert!(future.await.is_none(), "the application answers");
/// # });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct PassFuture(State);

#[derive(Debug)]
enum State {
    Ready(Option<Response<Bytes>>),
    Waiting(Task<Answer>),
}

impl Future for PassFuture {
    type Output = Option<Response<Bytes>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Ready(match &mut self.0 {
            State::Ready(response) => response.take(),
            State::Waiting(answer) => match ready!(Pin::new(answer).poll(context)) {
                Some(answer) => passed(answer),
                // The storage panicked.
                None => Some(failed()),
            },
        })
    }
}
