//! Events for `tracing`, if the feature is enabled.

use std::fmt::Display;
use std::time::Duration;

use sitemap_core::Summary;

use super::error::RefreshError;

#[cfg(feature = "tracing")]
mod to {
    use super::{Display, Duration, RefreshError, Summary};

    pub(in super::super) fn refreshed(summary: &Summary, time: Duration) {
        let changed = summary.files().iter().filter(|file| file.changed()).count();
        tracing::info!(
            urls = summary.urls(),
            files = summary.files().len(),
            changed,
            skipped = summary.skipped(),
            ?time,
            "sitemap refreshed"
        );
    }

    pub(in super::super) fn updated<T>(_: &T, time: Duration) {
        tracing::info!(?time, "sitemap updated");
    }

    pub(in super::super) fn failed(error: &RefreshError, time: Duration) {
        tracing::error!(%error, ?time, "sitemap not refreshed; the old set stays published");
    }

    pub(in super::super) fn panicked() {
        tracing::error!("panic during the refresh of the sitemap; the old set stays published");
    }

    pub(in super::super) fn unreadable(file: &str, error: &dyn Display) {
        tracing::error!(file, %error, "cannot read sitemap file");
    }
}

#[cfg(not(feature = "tracing"))]
mod to {
    use super::{Display, Duration, RefreshError, Summary};

    pub(in super::super) fn refreshed(_: &Summary, _: Duration) {}

    pub(in super::super) fn updated<T>(_: &T, _: Duration) {}

    pub(in super::super) fn failed(_: &RefreshError, _: Duration) {}

    pub(in super::super) fn panicked() {}

    pub(in super::super) fn unreadable(_: &str, _: &dyn Display) {}
}

pub(super) use to::{failed, panicked, refreshed, unreadable, updated};
