//! The download loop: many hosts in parallel, a few requests to each.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderValue};
use sitemap_pages::visit::{Failure, FailureKind, Hop};
use tokio::sync::mpsc;
use tokio::task::{JoinError, JoinSet};
use url::Url;

use crate::backoff;
use crate::client::HttpClient;
use crate::clock::Clock;
use crate::download::{Counters, DownloadError, DownloadResponse, Downloaded};
use crate::downloader::{Command, Downloader};
use crate::exchange::{Reply, conditional, is_transient};
use crate::politeness::Politeness;
use crate::progress::{GivenUp, GivenUpReason};
use crate::receive::receive;
use crate::redirect::{follow, is_redirect};
use crate::run::is_silence;
use crate::url_parts::host;

/// A download, including its redirects and retries.
#[derive(Debug)]
struct Job {
    command: Command,
    first: Url,
    /// The URL to request next.
    url: Url,
    hops: Vec<Hop>,
    requests: u32,
    retries: u32,
    was_authorized: bool,
    /// When the first request started. The time limit starts here, not when the download was queued.
    since: Option<Duration>,
}

/// The result of one request.
type Ended = (Arc<str>, Job, Result<(Reply, u64), DownloadError>);

/// The state of all downloads.
pub(crate) struct Downloads {
    http: HttpClient,
    commands: mpsc::UnboundedReceiver<Command>,
    counters: Arc<Counters>,
    clock: Clock,
    queue: Politeness<Job>,
    tasks: JoinSet<Ended>,
    /// Hosts that have answered at least once.
    answered: HashSet<Arc<str>>,
    /// The number of requests in a row that each host has left unanswered.
    silent: HashMap<Arc<str>, u32>,
    /// The number of requests in a row that each host has answered with status 429.
    busy: HashMap<Arc<str>, u32>,
    given_up: HashMap<String, GivenUp>,
}

impl Downloads {
    pub(crate) fn new(http: &HttpClient) -> (Downloader, Self) {
        let (sender, commands) = mpsc::unbounded_channel();
        let counters = Arc::new(Counters::default());
        let options = &http.options;
        let downloads = Self {
            http: http.clone(),
            commands,
            counters: Arc::clone(&counters),
            clock: Clock::new(options.jumps),
            queue: Politeness::new(options.per_host, options.in_all, options.delay),
            tasks: JoinSet::new(),
            answered: HashSet::new(),
            silent: HashMap::new(),
            busy: HashMap::new(),
            given_up: HashMap::new(),
        };
        (Downloader { commands: sender, counters }, downloads)
    }

    /// Runs downloads until none are left and the downloader has been dropped.
    pub(crate) async fn finish(mut self) {
        let mut is_open = true;
        loop {
            self.start_requests();
            let wake = self.queue.wake();
            let may_sleep = wake.is_some() && self.clock.may_sleep(self.tasks.is_empty());
            tokio::select! {
                // Commands are read before a pause starts, so that the schedule is deterministic.
                biased;
                command = self.commands.recv(), if is_open => match command {
                    Some(command) => self.take(command),
                    None => is_open = false,
                },
                Some(ended) = self.tasks.join_next(), if !self.tasks.is_empty() => self.end_request(ended),
                () = self.clock.sleep_until(wake.unwrap_or_default()), if may_sleep => {}
                else => break,
            }
        }
    }

    /// Takes a download.
    fn take(&mut self, command: Command) {
        let url = match Url::parse(&command.download.url) {
            Ok(mut url) if matches!(url.scheme(), "http" | "https") => {
                url.set_fragment(None);
                url
            }
            _ => {
                let url = command.download.url.clone();
                let why = format!("`{url}` is not an http or https URL");
                let outcome = Err(DownloadError::Failed(Failure::new(FailureKind::InvalidUrl, why)));
                // If the download was cancelled, nobody waits for the result.
                let (hops, requests, was_authorized) = (Vec::new(), 0, false);
                let _ = command.reply.send(Downloaded { url, hops, requests, was_authorized, outcome });
                return;
            }
        };
        let is_urgent = command.download.is_urgent;
        let first = url.clone();
        let (hops, requests, retries, was_authorized, since) = (Vec::new(), 0, 0, false, None);
        let job = Job { command, first, url, hops, requests, retries, was_authorized, since };
        self.admit(job, is_urgent);
    }

    /// Queues a download if its next URL may be requested.
    fn admit(&mut self, job: Job, is_urgent: bool) {
        if let Err(refused) = self.http.options.guard.check_literal(&job.url) {
            return job.fail(Failure::new(FailureKind::ForbiddenAddress, refused.to_string()));
        }
        let of = host(&job.url).to_owned();
        if let Some(given_up) = self.given_up.get_mut(&of) {
            given_up.visits += 1;
            let failure = Failure::new(FailureKind::GivenUp, given_up.to_string());
            return job.fail(failure);
        }
        let now = self.clock.now();
        if is_urgent {
            self.queue.push_first(&of, job, now);
        } else {
            self.queue.push(&of, job, now);
        }
    }

    /// Starts all requests that may start now.
    fn start_requests(&mut self) {
        let now = self.clock.now();
        while let Some((host, mut job)) = self.queue.start(now) {
            if job.command.reply.is_closed() {
                self.queue.finished(&host, now);
                continue;
            }
            self.counters.requests.fetch_add(1, Ordering::Relaxed);
            job.requests += 1;
            let until = job.since.get_or_insert(now).saturating_add(self.http.options.timeout);
            let http = self.http.clone();
            let headers = job.headers(&http);
            job.was_authorized = headers.contains_key(AUTHORIZATION);
            self.tasks.spawn(async move {
                let (size, to) = (Arc::clone(&job.command.size), job.command.download.to.clone());
                let within = until.saturating_sub(now);
                let ended = receive(&http, &job.url, headers, to, &size, within).await;
                (host, job, ended)
            });
        }
    }

    /// Handles the result of a request.
    fn end_request(&mut self, ended: Result<Ended, JoinError>) {
        let (host, job, answer) = match ended {
            Ok(ended) => ended,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            // Tasks are only cancelled when the runtime shuts down.
            Err(_) => return,
        };
        let now = self.clock.now();
        self.queue.finished(&host, now);
        let had_answered = self.answered.contains(&host);
        self.count(&host, &answer);
        let options = Arc::clone(&self.http.options);
        let pause = backoff::pause(options.backoff, job.retries, options.seed, job.url.as_str());
        let asked = answer.as_ref().ok().and_then(|(reply, _)| reply.retry_after());
        let is_429 = answer.as_ref().is_ok_and(|(reply, _)| reply.status == 429);
        match asked {
            Some(asked) if asked > options.max_retry_after => {
                let limit = options.max_retry_after;
                self.give_up(&host, GivenUpReason::LongPause { asked, limit });
            }
            Some(asked) => self.queue.pause(&host, now.saturating_add(asked)),
            None if is_429 => self.queue.pause(&host, now.saturating_add(pause)),
            None => {}
        }
        let may_change = match &answer {
            Ok((reply, _)) => is_transient(reply.status),
            // If a host has never answered, its name is probably misspelt, so a retry wouldn't help.
            Err(DownloadError::Failed(failure)) => failure.kind.is_transient() && had_answered,
            Err(_) => false,
        };
        let pause = asked.map_or(pause, |asked| asked.max(pause));
        let until = job.since.unwrap_or(now).saturating_add(options.timeout);
        if may_change
            && job.retries < options.retries
            && now.saturating_add(pause) < until
            && !self.given_up.contains_key(&*host)
        {
            self.counters.retries.fetch_add(1, Ordering::Relaxed);
            let job = Job { retries: job.retries + 1, ..job };
            return self.queue.push_later(&host, job, now.saturating_add(pause));
        }
        match answer {
            Ok((reply, _)) if is_redirect(reply.status) => self.redirect(job, &reply),
            Ok((reply, len)) => {
                let Reply { status, headers, .. } = reply;
                job.end(Ok(DownloadResponse { status, headers, len }));
            }
            Err(error) => job.end(Err(error)),
        }
    }

    /// Continues a download at the target of a redirect.
    fn redirect(&mut self, mut job: Job, reply: &Reply) {
        let most = self.http.options.max_redirects;
        match follow(&mut job.hops, &job.url, reply.status, reply.header("location"), most) {
            Ok(url) => {
                job.url = url;
                self.admit(job, true);
            }
            Err(failure) => job.fail(failure),
        }
    }

    /// Counts a host's unanswered and 429 requests in a row, and gives up on the host after too many.
    fn count(&mut self, host: &Arc<str>, answer: &Result<(Reply, u64), DownloadError>) {
        let most = self.http.options.give_up_after;
        match answer {
            Ok((reply, _)) => {
                self.answered.insert(Arc::clone(host));
                self.silent.remove(host);
                if reply.status != 429 {
                    self.busy.remove(host);
                    return;
                }
                let requests = self.busy.entry(Arc::clone(host)).or_default();
                *requests += 1;
                if *requests >= most {
                    let requests = *requests;
                    self.give_up(host, GivenUpReason::TooManyRequests { requests });
                }
            }
            Err(DownloadError::Failed(failure)) if is_silence(failure.kind) => {
                let requests = self.silent.entry(Arc::clone(host)).or_default();
                *requests += 1;
                if *requests >= most {
                    let (requests, last) = (*requests, failure.message.clone());
                    self.give_up(host, GivenUpReason::NoAnswer { requests, last });
                }
            }
            Err(_) => {}
        }
    }

    /// Ends all downloads from a host that we've given up on.
    fn give_up(&mut self, host: &str, reason: GivenUpReason) {
        if self.given_up.contains_key(host) {
            return;
        }
        let jobs = self.queue.take(host);
        let given_up = GivenUp { host: host.to_owned(), reason, visits: jobs.len() as u64 };
        let failure = Failure::new(FailureKind::GivenUp, given_up.to_string());
        self.given_up.insert(host.to_owned(), given_up);
        for job in jobs {
            job.fail(failure.clone());
        }
    }
}

impl Job {
    fn headers(&self, http: &HttpClient) -> HeaderMap {
        let mut headers = http.headers(&self.first, &self.url);
        let accept = self.command.download.accept.as_deref().map(HeaderValue::from_str);
        if let Some(Ok(accept)) = accept {
            headers.entry(ACCEPT).or_insert(accept);
        }
        let condition = self.command.download.condition.as_ref();
        if let Some(condition) = condition.filter(|condition| condition.url == self.url.as_str()) {
            headers.extend(conditional(condition));
        }
        headers
    }

    fn fail(self, failure: Failure) {
        self.end(Err(DownloadError::Failed(failure)));
    }

    fn end(self, outcome: Result<DownloadResponse, DownloadError>) {
        let Self { command, url, hops, requests, was_authorized, .. } = self;
        // If the download was cancelled, nobody waits for the result.
        let url = url.into();
        let _ = command.reply.send(Downloaded { url, hops, requests, was_authorized, outcome });
    }
}
