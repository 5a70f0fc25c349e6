//! Why a refresh failed.

use std::error::Error as StdError;
use std::fmt;
use std::io;

use sitemap_core::PublishError;

/// Any error of the code that fills a set.
pub type BoxError = Box<dyn StdError + Send + Sync>;

/// An error of refreshing a [`LiveSitemap`](crate::LiveSitemap).
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
    /// The code that fills the set failed.
    Fill(BoxError),
    /// The set cannot be published.
    Publish(PublishError),
    /// A thread cannot be started.
    Thread(io::Error),
}

impl fmt::Display for RefreshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fill(error) => write!(f, "cannot read the records: {error}"),
            Self::Publish(error) => error.fmt(f),
            Self::Thread(error) => write!(f, "cannot start a thread for the refreshes: {error}"),
        }
    }
}

impl StdError for RefreshError {
    /// Returns the part of the cause that the message does not hold.
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Fill(error) => error.source(),
            Self::Publish(error) => error.source(),
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
    /// Tells errors of the publisher, which come through the code that fills it, from other errors.
    pub(crate) fn of_fill(error: BoxError) -> Self {
        match error.downcast::<PublishError>() {
            Ok(error) => Self::Publish(*error),
            Err(error) => Self::Fill(error),
        }
    }
}
