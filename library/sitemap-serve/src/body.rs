//! The body of a response.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Frame, SizeHint};

/// A response body: the bytes of a whole file in memory, shared by all responses that send this file.
///
/// ```
/// use sitemap_core::Memory;
/// use sitemap_serve::SitemapService;
/// use tower_service::Service;
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let mut service = SitemapService::new(Memory::new());
/// let response = service.call(http::Request::get("/sitemap.css").body(())?).await?;
/// let css = response.into_body().into_bytes();
/// assert_eq!(css, sitemap_core::Stylesheet::CSS);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Body(Bytes);

impl Body {
    pub(super) fn new(bytes: Bytes) -> Self {
        Self(bytes)
    }

    /// Returns the bytes.
    #[must_use]
    pub fn into_bytes(self) -> Bytes {
        self.0
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let bytes = std::mem::take(&mut self.0);
        Poll::Ready((!bytes.is_empty()).then(|| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.len() as u64)
    }
}
