//! The baseline: a loop that requests all pages and discards their bodies, with the same HTTP client as
//! `sitemap-fetch`.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use reqwest::Client;
use tokio::task::JoinSet;

use super::site::PageSite;
use crate::Result;

/// Requests all pages of the site, `jobs` at a time.
///
/// # Errors
///
/// Returns an error if a request fails or a page's status is not 200.
pub fn run(pages: usize, origin: &str, jobs: usize) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let urls: Arc<[String]> = PageSite::new(pages, origin.to_owned()).urls().collect();
    let client = Client::builder().no_proxy().build()?;
    let next = Arc::new(AtomicUsize::new(0));
    runtime.block_on(async {
        let mut tasks = JoinSet::new();
        for _ in 0..jobs {
            let (urls, client, next) = (Arc::clone(&urls), client.clone(), Arc::clone(&next));
            tasks.spawn(async move {
                while let Some(url) = urls.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut response = client.get(url).send().await?.error_for_status()?;
                    while response.chunk().await?.is_some() {}
                }
                Ok::<_, reqwest::Error>(())
            });
        }
        while let Some(task) = tasks.join_next().await {
            task??;
        }
        Ok(())
    })
}
