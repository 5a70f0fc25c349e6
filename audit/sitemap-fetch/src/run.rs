//! A run: requests to many hosts in parallel, in the order and at the times that politeness allows.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use sitemap_pages::robots::{Access, RobotsAnswer};
use sitemap_pages::visit::{Failure, FailureKind, Hop, Outcome, Visit};
use tokio::task::{JoinError, JoinSet};

use crate::backoff;
use crate::client::HttpClient;
use crate::clock::Clock;
use crate::exchange::{Reply, conditional, exchange, is_transient};
use crate::job::{Answer, Content, Job, Task};
use crate::options::FetchOptions;
use crate::politeness::Politeness;
use crate::progress::{GivenUp, GivenUpReason, RunProgress, RunSummary, ShortenedDelay};
use crate::redirect::follow;
use crate::robots::{EXTENSION, LIFETIME, RobotsFile, Ruling};
use crate::source::{Source, There};
use crate::url_parts::{host, origin};

/// The result of one step of a request.
struct Ended {
    host: Arc<str>,
    job: Job,
    step: Step,
}

enum Step {
    /// The response has been received, or has failed.
    Received(Result<Reply, Failure>),
    /// The response has been read. `has_slot` is false if its slot is already free for another request.
    Read { answer: Answer, has_slot: bool },
}

/// A run.
pub(crate) struct Run<'r, W> {
    http: &'r HttpClient,
    /// When the run started.
    began: SystemTime,
    work: &'r mut W,
    clock: Clock,
    queue: Politeness<Job>,
    tasks: JoinSet<Ended>,
    origins: HashMap<String, Origin>,
    given_up: BTreeMap<String, GivenUp>,
    /// The number of requests in a row that each host has left unanswered.
    silent: HashMap<Arc<str>, u32>,
    shortened_delays: Vec<ShortenedDelay>,
    progress: RunProgress,
    /// Received responses that are waiting to be read, each with a flag for whether its request still holds its slot.
    received: Vec<(Arc<str>, Job, Reply, bool)>,
    /// The number of unread responses that have already given up their slots.
    unread: usize,
    /// Finished visits that haven't been passed to the work yet.
    ended: VecDeque<Visit>,
    is_stopped: bool,
}

/// What is known about an origin's robots.txt.
enum Origin {
    /// The robots.txt has been requested.
    Asked {
        /// The jobs waiting for the robots.txt.
        jobs: Vec<Job>,
        /// The earlier rules, if there are any.
        before: Option<Ruling>,
    },
    Known(Ruling),
}

impl Origin {
    fn ruling(self) -> Option<Ruling> {
        match self {
            Self::Known(ruling) => Some(ruling),
            Self::Asked { .. } => None,
        }
    }

    fn is_over(&self, passed: Duration) -> bool {
        matches!(self, Self::Known(ruling) if ruling.is_over(passed))
    }
}

impl<'r, W: Source> Run<'r, W> {
    pub(crate) fn new(http: &'r HttpClient, now: SystemTime, work: &'r mut W) -> Self {
        let options = &http.options;
        Self {
            http,
            began: now,
            work,
            clock: Clock::new(options.jumps),
            queue: Politeness::new(options.per_host, options.in_all, options.delay),
            tasks: JoinSet::new(),
            origins: HashMap::new(),
            given_up: BTreeMap::new(),
            silent: HashMap::new(),
            shortened_delays: Vec::new(),
            progress: RunProgress::default(),
            received: Vec::new(),
            unread: 0,
            ended: VecDeque::new(),
            is_stopped: false,
        }
    }

    /// Makes all visits.
    pub(crate) async fn finish(mut self) -> RunSummary {
        loop {
            // Reading responses and passing on visits takes time, so start requests first.
            self.start_requests();
            self.read_responses();
            if let Some(visit) = self.ended.pop_front() {
                self.pass_on(visit);
            } else {
                let there = self.work.there();
                self.is_stopped |= there == There::Stopped;
                let has_more = self.take_requests();
                self.start_requests();
                let is_over = self.progress.waiting == 0 && !has_more && there == There::Nothing;
                if self.is_stopped || is_over {
                    break;
                }
                if has_more {
                    // Lets requests under way make progress while many visits end without a request.
                    tokio::task::yield_now().await;
                } else if self.ended.is_empty() && !self.wait().await {
                    break;
                }
            }
            while let Some(ended) = self.tasks.try_join_next() {
                self.end_step(ended);
            }
        }
        self.count_time();
        RunSummary {
            progress: self.progress,
            given_up: self.given_up.into_values().collect(),
            shortened_delays: self.shortened_delays,
        }
    }

    /// Waits until a request ends or the next one may start. Returns `false` if there is neither.
    async fn wait(&mut self) -> bool {
        let there = self.work.there();
        let wake = self.queue.wake().filter(|_| there != There::IsBehind);
        let is_idle = self.tasks.is_empty() && matches!(there, There::Nothing | There::Waits);
        let may_sleep = wake.is_some() && self.clock.may_sleep(is_idle);
        tokio::select! {
            Some(ended) = self.tasks.join_next(), if !self.tasks.is_empty() => self.end_step(ended),
            () = self.clock.sleep_until(wake.unwrap_or_default()), if may_sleep => {}
            () = self.work.news(), if there != There::Nothing => {}
            else => return false,
        }
        true
    }

    /// Gets requests from the work, up to the limit. Returns `true` if there may be more.
    fn take_requests(&mut self) -> bool {
        let most = self.options().look_ahead;
        for _ in 0..most {
            if self.is_stopped || self.progress.waiting >= most {
                return false;
            }
            let Some(request) = self.work.next() else { return false };
            self.progress.waiting += 1;
            match Job::of_page(request) {
                Ok(job) => self.admit(job, false),
                Err((url, failure)) => self.report(url, Vec::new(), None, Outcome::Failed(failure)),
            }
        }
        true
    }

    /// Queues a job if its next URL may be requested. Jobs under way go before new ones.
    fn admit(&mut self, job: Job, is_under_way: bool) {
        if let Err(refused) = self.options().guard.check_literal(&job.url) {
            return self.fail(job, Failure::new(FailureKind::ForbiddenAddress, refused.to_string()));
        }
        if let Some(given_up) = self.given_up.get(host(&job.url)) {
            let failure = Failure::new(FailureKind::GivenUp, given_up.to_string());
            return self.fail(job, failure);
        }
        let now = self.clock.now();
        if matches!(job.task, Task::Robots(_)) {
            let of = host(&job.url).to_owned();
            return self.queue.push_first(&of, job, now);
        }
        let origin = origin(&job.url);
        let passed = self.clock.passed();
        let mut before = None;
        match self.origins.get(&origin) {
            None => {
                if let Some((file, age)) = self.known_robots(&origin, passed) {
                    self.obey(
                        host(&job.url),
                        &origin,
                        &file,
                        passed.saturating_add(LIFETIME.saturating_sub(age)),
                    );
                }
            }
            Some(known) if known.is_over(passed) => {
                before = self.origins.remove(&origin).and_then(Origin::ruling);
            }
            Some(_) => {}
        }
        match self.origins.get_mut(&origin) {
            Some(Origin::Known(ruling)) => {
                if let Some(outcome) = ruling.refusal(self.http.product_token(), &job.url) {
                    return self.conclude(job, outcome);
                }
                let of = host(&job.url).to_owned();
                if is_under_way {
                    self.queue.push_first(&of, job, now);
                } else {
                    self.queue.push(&of, job, now);
                }
            }
            Some(Origin::Asked { jobs, .. }) => jobs.push(job),
            None => {
                let robots = Job::of_robots(&job);
                self.origins.insert(origin, Origin::Asked { jobs: vec![job], before });
                self.admit(robots, true);
            }
        }
    }

    /// Returns a previously requested robots.txt that is still usable, and its age.
    fn known_robots(&mut self, origin: &str, passed: Duration) -> Option<(RobotsFile, Duration)> {
        let file = self.work.robots(origin)?;
        let age = self.time(passed).duration_since(file.at).ok()?;
        (age < LIFETIME).then_some((file, age))
    }

    /// Returns what to request when it's a job's turn: the job itself or, if its origin's rules have expired, the
    /// robots.txt. Returns `None` if the job has to wait for robots.txt, or may no longer be requested.
    fn turn(&mut self, job: Job, passed: Duration) -> Option<Job> {
        if matches!(job.task, Task::Robots(_)) {
            return Some(job);
        }
        match self.origins.get_mut(&origin(&job.url)) {
            Some(Origin::Asked { jobs, .. }) => {
                jobs.push(job);
                None
            }
            Some(known) if known.is_over(passed) => {
                let robots = Job::of_robots(&job);
                let asked = Origin::Asked { jobs: Vec::new(), before: None };
                let before = std::mem::replace(known, asked).ruling();
                *known = Origin::Asked { jobs: vec![job], before };
                Some(robots)
            }
            Some(Origin::Known(ruling)) => {
                ruling.mark_used();
                // The rules may have changed during the pause before a retry.
                if job.retries > 0
                    && let Some(outcome) = ruling.refusal(self.http.product_token(), &job.url)
                {
                    self.conclude(job, outcome);
                    return None;
                }
                Some(job)
            }
            None => Some(job),
        }
    }

    /// Applies a robots.txt until the time `until`, and returns the jobs that were waiting for it.
    fn obey(&mut self, host: &str, origin: &str, file: &RobotsFile, until: Duration) -> Vec<Job> {
        let ruling = Ruling::new(file, until);
        if let Some(delay) = ruling.delay(self.http.product_token()) {
            self.queue.slow_down(host, delay.wait());
            let (asked, used) = (delay.asked(), delay.wait().max(self.options().delay));
            let shortened = ShortenedDelay { origin: origin.to_owned(), asked, used };
            if used < asked && !self.shortened_delays.contains(&shortened) {
                self.shortened_delays.push(shortened);
            }
        }
        self.obey_ruling(host, origin, ruling)
    }

    /// Like [`obey`](Self::obey), for rules that are already parsed.
    fn obey_ruling(&mut self, host: &str, origin: &str, ruling: Ruling) -> Vec<Job> {
        match self.origins.insert(origin.to_owned(), Origin::Known(ruling)) {
            Some(Origin::Asked { mut jobs, before }) => {
                if before.is_some() {
                    // These jobs were admitted under the old rules.
                    jobs.extend(self.queue.take_waiting(host));
                }
                jobs
            }
            _ => Vec::new(),
        }
    }

    /// Starts all requests that may start now.
    fn start_requests(&mut self) {
        let (now, passed) = (self.clock.now(), self.clock.passed());
        while !self.is_stopped
            && self.work.there() != There::IsBehind
            && let Some((host, job)) = self.queue.start(now)
        {
            let Some(mut job) = self.turn(job, passed) else {
                self.queue.finished(&host, now);
                continue;
            };
            job.began = Some(passed);
            self.progress.requests += 1;
            let http = self.http.clone();
            let mut headers = self.http.headers(&job.listed, &job.url);
            if let Some(condition) = job.condition() {
                headers.extend(conditional(condition));
            }
            self.tasks.spawn(async move {
                let reply = exchange(&http, &job.url, headers, job.wanted()).await;
                Ended { host, job, step: Step::Received(reply) }
            });
        }
        self.progress.open = self.queue.open();
    }

    /// Reads the received responses on other threads.
    fn read_responses(&mut self) {
        for (host, job, reply, has_slot) in self.received.drain(..) {
            self.tasks.spawn(async move {
                let answer = job.answer(reply);
                Ended { host, job, step: Step::Read { answer, has_slot } }
            });
        }
    }

    /// Handles the result of one step of a request.
    fn end_step(&mut self, ended: Result<Ended, JoinError>) {
        let Ended { host, job, step } = match ended {
            Ok(ended) => ended,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            // Tasks are only cancelled when the runtime shuts down.
            Err(_) => return self.is_stopped = true,
        };
        let now = self.clock.now();
        match step {
            Step::Received(Err(failure)) => {
                self.queue.finished(&host, now);
                self.end_request(&host, job, Err(failure), now);
            }
            Step::Received(Ok(reply)) => {
                // The host has answered, so its slot could be freed now. But a transient status may ask for a pause,
                // which must take effect before the next request. The memory for responses is also limited.
                let has_slot = is_transient(reply.status) || self.unread >= self.options().in_all;
                if !has_slot {
                    self.unread += 1;
                    self.queue.finished(&host, now);
                }
                self.received.push((host, job, reply, has_slot));
            }
            Step::Read { answer, has_slot } => {
                if has_slot {
                    self.queue.finished(&host, now);
                } else {
                    self.unread -= 1;
                }
                self.end_request(&host, job, Ok(answer), now);
            }
        }
    }

    /// Handles the result of a request.
    fn end_request(&mut self, host: &Arc<str>, job: Job, answer: Result<Answer, Failure>, now: Duration) {
        if self.is_stopped {
            return;
        }
        let options = Arc::clone(&self.http.options);
        let pause = backoff::pause(options.backoff, job.retries, options.seed, job.url.as_str());
        let asked = answer.as_ref().ok().and_then(|answer| answer.retry_after);
        let is_transient = match &answer {
            Ok(answer) => answer.is_transient(),
            Err(failure) => failure.kind.is_transient(),
        };
        self.count_silence(host, answer.as_ref().err());
        if let Some(asked) = asked {
            if asked > options.max_retry_after {
                let limit = options.max_retry_after;
                self.give_up(host, GivenUpReason::LongPause { asked, limit });
            } else {
                self.queue.pause(host, now.saturating_add(asked));
            }
        } else if answer.as_ref().is_ok_and(|answer| answer.status == 429) {
            self.queue.pause(host, now.saturating_add(pause));
        }
        if is_transient && job.retries < options.retries {
            match self.given_up.get(&**host) {
                None => {
                    self.progress.retries += 1;
                    let job = Job { retries: job.retries + 1, ..job };
                    let pause = asked.map_or(pause, |asked| asked.max(pause));
                    return self.queue.push_later(host, job, now.saturating_add(pause));
                }
                // The request wasn't retried as often as usual, so its failure isn't the page's fault.
                Some(given_up) if answer.is_err() => {
                    let failure = Failure::new(FailureKind::GivenUp, given_up.to_string());
                    return self.fail(job, failure);
                }
                Some(_) => {}
            }
        }
        match answer {
            Err(failure) => self.fail(job, failure),
            Ok(Answer { content: Content::Page(outcome), .. }) => self.conclude(job, outcome),
            Ok(Answer { content: Content::NotEnough, .. }) => {
                self.progress.retries += 1;
                self.admit(job.without_condition(), true);
            }
            Ok(Answer { content: Content::RobotsTxt(body), status, .. }) => {
                self.end_robots(&job, RobotsAnswer::Status(status), body, None);
            }
            Ok(Answer { content: Content::Redirect { location }, status, .. }) => {
                self.redirect(job, status, location.as_deref());
            }
        }
    }

    /// Continues a job at the target of a redirect.
    fn redirect(&mut self, mut job: Job, status: u16, location: Option<&str>) {
        let most = match job.task {
            Task::Page(_) => self.options().max_redirects,
            Task::Robots(_) => Access::MAX_REDIRECTS,
        };
        match follow(&mut job.hops, &job.url, status, location, most) {
            Ok(url) => {
                job.url = url;
                self.admit(job, true);
            }
            Err(failure) => self.fail(job, failure),
        }
    }

    /// Ends a job that has no answer.
    fn fail(&mut self, job: Job, failure: Failure) {
        match &job.task {
            Task::Page(_) => self.conclude(job, Outcome::Failed(failure)),
            Task::Robots(_) => {
                let status = job.hops.last().map_or(0, |hop| hop.status);
                let answer = match failure.kind {
                    FailureKind::TooManyRedirects | FailureKind::RedirectLoop => {
                        RobotsAnswer::TooManyRedirects
                    }
                    FailureKind::InvalidRedirect
                        if job.hops.last().is_some_and(|hop| hop.location.is_none()) =>
                    {
                        RobotsAnswer::Status(status)
                    }
                    _ => RobotsAnswer::Failed,
                };
                let failure = (answer == RobotsAnswer::Failed).then_some(failure);
                self.end_robots(&job, answer, Vec::new(), failure);
            }
        }
    }

    /// Ends the request for a robots.txt, and resumes the jobs that were waiting for it.
    fn end_robots(&mut self, job: &Job, answer: RobotsAnswer, body: Vec<u8>, failure: Option<Failure>) {
        let Task::Robots(origin) = &job.task else { return };
        let mut failure = failure;
        if let Some(failure) = failure.as_mut().filter(|_| !job.hops.is_empty()) {
            // A file that is missing on another host doesn't matter for this host's pages.
            failure.kind = FailureKind::InvalidRedirect;
        }
        let body = if matches!(answer, RobotsAnswer::Status(200..=299)) { body } else { Vec::new() };
        let passed = self.clock.passed();
        let file = RobotsFile { origin: origin.clone(), at: self.date(passed), answer, body, failure };
        let host = host(&job.first);
        let waiting = if let Some(ruling) = self.rules_before(origin, &file, passed) {
            self.obey_ruling(host, origin, ruling)
        } else {
            self.work.store_robots(&file);
            self.obey(host, origin, &file, passed.saturating_add(LIFETIME))
        };
        for waiting in waiting {
            let is_under_way = !waiting.hops.is_empty();
            self.admit(waiting, is_under_way);
        }
    }

    /// Returns the rules of an earlier answer if the file can't be reached now. They stay in force for another hour
    /// (RFC 9309, section 2.4): a short outage must not end a run of several days.
    fn rules_before(&mut self, origin: &str, file: &RobotsFile, passed: Duration) -> Option<Ruling> {
        if !matches!(file.access(), Access::Nothing(_)) {
            return None;
        }
        let Origin::Asked { before, .. } = self.origins.get_mut(origin)? else { return None };
        let ruling = before.as_ref().filter(|ruling| ruling.was_reached())?;
        Some(ruling.until(passed.saturating_add(EXTENSION)))
    }

    /// Ends a page's job.
    fn conclude(&mut self, job: Job, outcome: Outcome) {
        if let Outcome::Failed(Failure { kind: FailureKind::GivenUp, .. }) = &outcome
            && let Some(given_up) = self.given_up.get_mut(host(&job.url))
        {
            given_up.visits += 1;
        }
        if let Task::Page(request) = job.task {
            self.report(request.url, job.hops, job.began, outcome);
        }
    }

    /// Ends a visit.
    fn report(&mut self, url: String, hops: Vec<Hop>, began: Option<Duration>, outcome: Outcome) {
        let at = self.date(began.unwrap_or_else(|| self.clock.passed()));
        let mut visit = Visit::new(url, at, outcome);
        visit.hops = hops;
        self.ended.push_back(visit);
    }

    /// Counts a visit and passes it on.
    fn pass_on(&mut self, visit: Visit) {
        // Once the run has ended, a visit is no longer counted as done.
        if self.is_stopped {
            return;
        }
        let progress = &mut self.progress;
        progress.waiting -= 1;
        progress.visited += 1;
        match &visit.outcome {
            Outcome::Page { facts, .. } => progress.cut += u64::from(facts.is_cut),
            Outcome::NotModified(_) => progress.not_modified += 1,
            Outcome::Blocked(_) => progress.blocked += 1,
            Outcome::Failed(_) => progress.failed += 1,
            _ => {}
        }
        self.count_time();
        self.is_stopped = self.work.done(visit, &self.progress) == ControlFlow::Break(());
    }

    /// Counts a host's unanswered requests in a row, and gives up on the host after too many.
    fn count_silence(&mut self, host: &Arc<str>, failure: Option<&Failure>) {
        let Some(failure) = failure.filter(|failure| is_silence(failure.kind)) else {
            self.silent.remove(host);
            return;
        };
        let requests = self.silent.entry(Arc::clone(host)).or_default();
        *requests += 1;
        let requests = *requests;
        if requests >= self.options().give_up_after {
            self.give_up(host, GivenUpReason::NoAnswer { requests, last: failure.message.clone() });
        }
    }

    /// Ends all jobs of a host that the run has given up on.
    fn give_up(&mut self, host: &str, reason: GivenUpReason) {
        if self.given_up.contains_key(host) {
            return;
        }
        let given_up = GivenUp { host: host.to_owned(), reason, visits: 0 };
        let failure = Failure::new(FailureKind::GivenUp, given_up.to_string());
        self.given_up.insert(host.to_owned(), given_up);
        for job in self.queue.take(host) {
            self.fail(job, failure.clone());
        }
    }

    /// Converts a time since the start of the run to a date.
    fn date(&self, passed: Duration) -> SystemTime {
        if self.options().fixed_time { self.began } else { self.time(passed) }
    }

    fn time(&self, passed: Duration) -> SystemTime {
        self.began.checked_add(passed).unwrap_or(self.began)
    }

    fn count_time(&mut self) {
        self.progress.elapsed = self.clock.now();
        self.progress.open = self.queue.open();
    }

    fn options(&self) -> &FetchOptions {
        &self.http.options
    }
}

/// Returns `true` for failures where the host didn't answer.
pub(crate) const fn is_silence(kind: FailureKind) -> bool {
    use FailureKind as K;
    matches!(kind, K::Dns | K::Connect | K::Tls | K::Timeout | K::Interrupted | K::Protocol)
}
