//! Errors from refreshing or changing a live set.

use std::error::Error as StdError;
use std::fmt;
use std::io;

use sitemap_core::PublishError;
use sitemap_core::publish::PublishErrorKind;

/// Any error from the code that adds the records to a set.
pub type BoxError = Box<dyn StdError + Send + Sync>;

/// An error from refreshing or changing a [`LiveSitemap`](crate::LiveSitemap).
///
/// ```
/// use sitemap_core::Site;
/// use sitemap_serve::{LiveSitemap, RefreshError};
///
/// let live = LiveSitemap::new(Site::new("https://example.com")?);
/// let error = live.refresh(|_| Err("connection refused".into())).unwrap_err();
/// assert!(matches!(error, RefreshError::Fill(_)));
/// assert_eq!(error.to_string(), "cannot read the records: connection refused");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum RefreshError {
    /// The code that adds the records failed.
    Fill(BoxError),
    /// Publishing failed.
    Publish(PublishError),
    /// A change to the set failed; see [`LiveSitemap::update`](crate::LiveSitemap::update).
    Update(BoxError),
    /// Another refresh was running. On WebAssembly, a program has only one thread, so a refresh cannot wait for
    /// another.
    Busy,
    /// The thread of `LiveSitemap::every` could not be started.
    Thread(io::Error),
}

impl fmt::Display for RefreshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fill(error) => write!(f, "cannot read the records: {error}"),
            Self::Publish(error) => error.fmt(f),
            Self::Update(error) => error.fmt(f),
            Self::Busy => f.write_str("another refresh of the set is running; await its end first"),
            Self::Thread(error) => write!(f, "cannot start the refresh thread: {error}"),
        }
    }
}

impl StdError for RefreshError {
    /// The message already contains the inner error, so this returns the source of the inner error.
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Fill(error) | Self::Update(error) => error.source(),
            Self::Publish(error) => error.source(),
            Self::Busy => None,
            Self::Thread(error) => error.source(),
        }
    }
}

impl From<PublishError> for RefreshError {
    fn from(error: PublishError) -> Self {
        Self::Publish(error)
    }
}

impl RefreshError {
    /// Returns `true` if the refresh failed because another instance was publishing to the same
    /// [storage](crate::LiveSitemap::on) at the same time. The other instance's set is served.
    ///
    /// Such a refresh counts as [left to the other instance](crate::Status::left_to_others), not as a failure. For
    /// errors of [`LiveSitemap::update`](crate::LiveSitemap::update), this is always `false`, because the crate
    /// `sitemap-update` restarts overtaken updates by itself.
    ///
    /// ```
    /// use sitemap_core::{Memory, Site};
    /// use sitemap_serve::LiveSitemap;
    ///
    /// let storage = Memory::new();
    /// let options = LiveSitemap::options(Site::new("https://example.com")?);
    /// let [slow, quick] = [(); 2].map(|()| LiveSitemap::on(storage.clone(), options.clone()));
    /// slow.refresh(|run| {
    ///     let error = quick.refresh(|run| Ok(run.section("pages")?.add("/")?)).unwrap_err();
    ///     assert!(error.is_overtaken(), "{error}");
    ///     Ok(run.section("pages")?.add("/")?)
    /// })?;
    /// assert_eq!((quick.status().failures, quick.status().left_to_others), (0, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_overtaken(&self) -> bool {
        let Self::Publish(error) = self else { return false };
        matches!(error.kind(), PublishErrorKind::Locked { .. } | PublishErrorKind::Overtaken { .. })
    }

    /// Converts an error from the code that adds the records. A publishing error that the code passed on with `?`
    /// becomes [`Publish`](Self::Publish).
    pub(crate) fn from_fill(error: BoxError) -> Self {
        match error.downcast::<PublishError>() {
            Ok(error) => Self::Publish(*error),
            Err(error) => Self::Fill(error),
        }
    }
}
