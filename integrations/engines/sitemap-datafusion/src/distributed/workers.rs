//! The list of workers, and which of them respond.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use datafusion::common::{exec_err, plan_datafusion_err, plan_err};
use datafusion::error::{DataFusionError, Result};
use datafusion_distributed::WorkerResolver;
use futures::future::join_all;
use url::Url;

use super::VERSION;
use super::channel::Channels;
use super::lost::{is_lost_worker, none_answers, shown};

/// A comma-separated list of workers. An item is either a URL such as `http://10.0.0.7:8080`, or a name such as
/// `dns:workers.shop.svc:8080`, which stands for all IP addresses of that name.
///
/// Names are resolved again for each statement, so a worker's replacement is found.
///
/// ```
/// use sitemap_datafusion::distributed::Workers;
///
/// let workers: Workers = "http://10.0.0.7:8080, dns:workers.shop.svc:8080".parse()?;
/// assert_eq!(workers.to_string(), "http://10.0.0.7:8080,dns:workers.shop.svc:8080");
///
/// let error = "10.0.0.7".parse::<Workers>().unwrap_err();
/// assert!(error.to_string().contains("`10.0.0.7` is not a worker"));
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// ```
#[derive(Clone)]
pub struct Workers {
    places: Arc<[Place]>,
    pub(super) channels: Channels,
    /// The workers that responded when the last statement was planned.
    found: Arc<RwLock<Vec<Url>>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Url(Url),
    /// A name and a port, as in `workers.shop.svc:8080`.
    Name(String),
}

impl FromStr for Workers {
    type Err = DataFusionError;

    fn from_str(list: &str) -> Result<Self> {
        let places = list.split(',').map(str::trim).filter(|place| !place.is_empty()).map(Place::new);
        let places: Arc<[Place]> = places.collect::<Result<_>>()?;
        if places.is_empty() {
            return plan_err!("the list of workers is empty; write `http://HOST:PORT` or `dns:NAME:PORT`");
        }
        Ok(Self { places, channels: Channels::default(), found: Arc::default() })
    }
}

impl Place {
    fn new(text: &str) -> Result<Self> {
        let wrong =
            || plan_datafusion_err!("`{text}` is not a worker; write `http://HOST:PORT` or `dns:NAME:PORT`");
        if let Some(name) = text.strip_prefix("dns:") {
            let (host, port) = name.rsplit_once(':').ok_or_else(wrong)?;
            let is_valid = !host.is_empty() && !host.contains('/') && port.parse::<u16>().is_ok();
            return if is_valid { Ok(Self::Name(name.to_owned())) } else { Err(wrong()) };
        }
        let url = Url::parse(text).map_err(|_| wrong())?;
        let is_valid =
            url.scheme() == "http" && url.has_host() && url.path() == "/" && url.username().is_empty();
        if is_valid { Ok(Self::Url(url)) } else { Err(wrong()) }
    }

    /// Returns the URLs of the workers.
    async fn urls(&self) -> Result<Vec<Url>> {
        const LONGEST: Duration = Duration::from_secs(10);

        let name = match self {
            Self::Url(url) => return Ok(vec![url.clone()]),
            Self::Name(name) => name,
        };
        let failed = |reason: String| {
            DataFusionError::Execution(format!("the name `{name}` of workers was not found: {reason}"))
        };
        let addresses = match tokio::time::timeout(LONGEST, tokio::net::lookup_host(name)).await {
            Ok(found) => found.map_err(|error| failed(error.to_string()))?,
            Err(_) => return Err(failed(format!("no answer within {} seconds", LONGEST.as_secs()))),
        };
        Ok(addresses.filter_map(|address| Url::parse(&format!("http://{address}")).ok()).collect())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(url) => f.write_str(shown(url)),
            Self::Name(name) => write!(f, "dns:{name}"),
        }
    }
}

impl fmt::Display for Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places: Vec<_> = self.places.iter().map(ToString::to_string).collect();
        f.write_str(&places.join(","))
    }
}

impl fmt::Debug for Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Workers").field(&self.places).finish()
    }
}

impl Workers {
    /// Looks up the workers, and asks each of them for a response. Workers that don't respond are skipped with a
    /// warning. Returns how many responded.
    ///
    /// # Errors
    ///
    /// Returns an error if no worker responds, or if a worker runs a different version.
    pub(super) async fn find(&self) -> Result<usize> {
        let (mut urls, mut problems) = (Vec::new(), Vec::new());
        for found in join_all(self.places.iter().map(Place::urls)).await {
            match found {
                Ok(found) => urls.extend(found),
                Err(error) => problems.push(error.strip_backtrace()),
            }
        }
        urls.sort();
        urls.dedup();
        let versions = join_all(urls.iter().map(|url| self.channels.version(url))).await;
        let mut answering = Vec::new();
        for (url, version) in urls.into_iter().zip(versions) {
            match version {
                Ok(version) if version == VERSION => answering.push(url),
                Ok(version) => {
                    return exec_err!(
                        "the worker `{}` has the version {version:?}, and this program {VERSION:?}; run the same version on \
                         all machines",
                        shown(&url)
                    );
                }
                Err(error) if is_lost_worker(&error) => problems.push(error.strip_backtrace()),
                Err(error) => return Err(error),
            }
        }
        if answering.is_empty() {
            return Err(none_answers(&problems));
        }
        for problem in &problems {
            log::warn!("left out: {problem}");
        }
        let count = answering.len();
        *self.found.write().unwrap_or_else(PoisonError::into_inner) = answering;
        Ok(count)
    }
}

impl WorkerResolver for Workers {
    /// Returns the workers that responded. A single worker is listed twice, because the planner doesn't distribute a
    /// statement to just one.
    fn get_urls(&self) -> Result<Vec<Url>> {
        let found = self.found.read().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(match &found[..] {
            [only] => vec![only.clone(), only.clone()],
            _ => found,
        })
    }
}
