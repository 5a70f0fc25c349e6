//! A run on its own thread, so that requests start on time while the work stores visits.

use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use sitemap_pages::visit::Visit;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::spawn_blocking;

use crate::client::HttpClient;
use crate::progress::{RunProgress, RunSummary};
use crate::request::Request;
use crate::robots::RobotsFile;
use crate::run::Run;
use crate::source::{Source, There};
use crate::work::Work;

/// The maximum number of visits waiting for the work. Once it is reached, no request starts. This leaves the work time
/// for a slow write, and limits the memory for waiting visits.
const MOST_BEHIND: usize = 256;

/// The number of requests to hand over at once.
const AT_ONCE: usize = 64;

/// The number of requests that keep the run busy for longer than [`PAUSE`], at 50,000 pages a second.
const ENOUGH: usize = 512;

/// How long to collect visits before processing them, while the run has enough requests.
const PAUSE: Duration = Duration::from_millis(5);

/// Makes all visits of the work. `robots` provides what [`Work::robots`] would return.
pub(crate) async fn run<W: Work>(
    http: &HttpClient,
    now: SystemTime,
    robots: Vec<RobotsFile>,
    work: &mut W,
) -> RunSummary {
    let (visits, mut coming) = unbounded_channel();
    let shared = Arc::new(Shared::default());
    let robots = robots.into_iter().map(|file| (file.origin.clone(), file)).collect();
    let mut feed = Feed { shared: Arc::clone(&shared), robots, visits };
    // This also ends the run if this future is dropped.
    let stop = Stop(Arc::clone(&shared));
    let (http, most) = (http.clone(), http.options.look_ahead);
    let run = spawn_blocking(move || Handle::current().block_on(Run::new(&http, now, &mut feed).finish()));
    drive(work, &shared, most, &mut coming).await;
    drop(stop);
    match run.await {
        Ok(summary) => summary,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        // Tasks are only cancelled when the runtime shuts down.
        Err(_) => RunSummary::default(),
    }
}

/// Hands over requests and receives visits, until none are left or the work ends the run.
async fn drive<W: Work>(work: &mut W, shared: &Shared, most: usize, coming: &mut UnboundedReceiver<News>) {
    // The number of requests whose visits aren't done yet.
    let mut open = 0;
    loop {
        loop {
            let room = AT_ONCE.min(most - open);
            let next: Vec<Request> = std::iter::from_fn(|| work.next()).take(room).collect();
            if next.is_empty() {
                break;
            }
            open += next.len();
            shared.requests().extend(next);
            shared.news.notify_one();
        }
        if open == 0 {
            return shared.has_ended.store(true, Ordering::SeqCst);
        }
        if open >= ENOUGH {
            // Waking up for each visit would take about as long as storing it.
            tokio::time::sleep(PAUSE).await;
        }
        shared.wait();
        let Some(first) = coming.recv().await else { return };
        shared.waits.store(false, Ordering::SeqCst);
        let others = std::iter::from_fn(|| coming.try_recv().ok()).take(AT_ONCE);
        for news in std::iter::once(first).chain(others) {
            match news {
                News::Robots(file) => work.store_robots(&file),
                News::Visit(visit, progress) => {
                    open -= 1;
                    let flow = work.done(*visit);
                    work.progress(&progress);
                    shared.take();
                    if flow.is_break() {
                        return;
                    }
                }
            }
        }
    }
}

/// A message from the run to the work.
enum News {
    Robots(RobotsFile),
    Visit(Box<Visit>, RunProgress),
}

/// Data shared by the two threads.
#[derive(Debug, Default)]
struct Shared {
    /// Requests that the run hasn't picked up yet.
    requests: Mutex<VecDeque<Request>>,
    /// The number of visits that the work hasn't picked up yet.
    visits: AtomicUsize,
    /// Whether the work is waiting for visits. `false` if visits have arrived in the meantime.
    waits: AtomicBool,
    has_ended: AtomicBool,
    is_stopped: AtomicBool,
    /// Wakes the run.
    news: Notify,
}

impl Shared {
    fn requests(&self) -> MutexGuard<'_, VecDeque<Request>> {
        // Nothing that can panic runs while the lock is held.
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that the work is waiting for visits.
    fn wait(&self) {
        self.waits.store(true, Ordering::SeqCst);
        if self.visits.load(Ordering::SeqCst) == 0 {
            self.news.notify_one();
        }
    }

    /// Records that the work has picked up a visit.
    fn take(&self) {
        if self.visits.fetch_sub(1, Ordering::SeqCst) == MOST_BEHIND {
            self.news.notify_one();
        }
    }
}

/// Stops the run when the work ends.
struct Stop(Arc<Shared>);

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.is_stopped.store(true, Ordering::SeqCst);
        self.0.news.notify_one();
    }
}

/// The work, as seen by the run.
struct Feed {
    shared: Arc<Shared>,
    robots: HashMap<String, RobotsFile>,
    visits: UnboundedSender<News>,
}

impl Source for Feed {
    fn next(&mut self) -> Option<Request> {
        self.shared.requests().pop_front()
    }

    fn done(&mut self, visit: Visit, progress: &RunProgress) -> ControlFlow<()> {
        self.shared.visits.fetch_add(1, Ordering::SeqCst);
        match self.visits.send(News::Visit(Box::new(visit), *progress)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn robots(&mut self, origin: &str) -> Option<RobotsFile> {
        self.robots.remove(origin)
    }

    fn store_robots(&mut self, file: &RobotsFile) {
        // If the receiver is gone, the run is stopped.
        let _ = self.visits.send(News::Robots(file.clone()));
    }

    fn there(&self) -> There {
        let shared = &self.shared;
        let visits = shared.visits.load(Ordering::SeqCst);
        if shared.has_ended.load(Ordering::SeqCst) {
            There::Nothing
        } else if shared.is_stopped.load(Ordering::SeqCst) {
            There::Stopped
        } else if visits >= MOST_BEHIND {
            There::IsBehind
        } else if visits == 0 && shared.waits.load(Ordering::SeqCst) && shared.requests().is_empty() {
            There::Waits
        } else {
            There::Works
        }
    }

    fn news(&mut self) -> impl Future<Output = ()> {
        self.shared.news.notified()
    }
}
