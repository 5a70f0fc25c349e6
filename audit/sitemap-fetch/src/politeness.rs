//! The order and timing of requests: only a few at once per host, with delays and pauses.
//!
//! The queue has no clock of its own. All times are relative to the start of the run.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

/// Jobs waiting for their hosts.
#[derive(Debug)]
pub(crate) struct Politeness<J> {
    per_host: usize,
    in_all: usize,
    delay: Duration,
    hosts: HashMap<Arc<str>, Host<J>>,
    /// The hosts with a waiting job and a free slot, ordered by their next start. The number makes hosts with the same
    /// start time take turns.
    ready: BTreeSet<(Duration, u64, Arc<str>)>,
    /// The jobs that must not start before a certain time.
    later: BTreeMap<(Duration, u64), (Arc<str>, J)>,
    open: usize,
    number: u64,
}

#[derive(Debug)]
struct Host<J> {
    jobs: VecDeque<J>,
    open: usize,
    next_start: Duration,
    delay: Duration,
    /// Whether the host is in `ready`.
    is_ready: bool,
}

impl<J> Politeness<J> {
    /// Creates an empty queue. `delay` is the time between the starts of requests to a host.
    pub(crate) fn new(per_host: usize, in_all: usize, delay: Duration) -> Self {
        Self {
            per_host,
            in_all,
            delay,
            hosts: HashMap::new(),
            ready: BTreeSet::new(),
            later: BTreeMap::new(),
            open: 0,
            number: 0,
        }
    }

    /// Adds a job at the back of its host's queue.
    pub(crate) fn push(&mut self, host: &str, job: J, now: Duration) {
        let host = self.host(host);
        self.edit(&host, now, |queue| queue.jobs.push_back(job));
    }

    /// Adds a job at the front of its host's queue.
    pub(crate) fn push_first(&mut self, host: &str, job: J, now: Duration) {
        let host = self.host(host);
        self.edit(&host, now, |queue| queue.jobs.push_front(job));
    }

    /// Adds a job that must not start before `time`.
    pub(crate) fn push_later(&mut self, host: &str, job: J, time: Duration) {
        let host = self.host(host);
        self.number += 1;
        self.later.insert((time, self.number), (host, job));
    }

    /// Pauses a host: no request to it starts before `until`.
    pub(crate) fn pause(&mut self, host: &str, until: Duration) {
        let host = self.host(host);
        if let Some(queue) = self.hosts.get_mut(&host) {
            queue.next_start = queue.next_start.max(until);
        }
    }

    /// Raises a host's delay, if the new one is longer. The new delay also applies to the wait that has already begun.
    pub(crate) fn slow_down(&mut self, host: &str, delay: Duration) {
        let host = self.host(host);
        if let Some(queue) = self.hosts.get_mut(&host)
            && queue.delay < delay
        {
            queue.next_start = queue.next_start.saturating_sub(queue.delay).saturating_add(delay);
            queue.delay = delay;
        }
    }

    /// Starts the next job, if one may start now. Call [`finished`](Self::finished) when it ends.
    pub(crate) fn start(&mut self, now: Duration) -> Option<(Arc<str>, J)> {
        while let Some(entry) = self.later.first_entry()
            && entry.key().0 <= now
        {
            let (host, job) = entry.remove();
            self.edit(&host, now, |queue| queue.jobs.push_front(job));
        }
        while self.open < self.in_all && self.ready.first().is_some_and(|(time, ..)| *time <= now) {
            let Some((.., host)) = self.ready.pop_first() else { break };
            let mut started = None;
            self.edit(&host, now, |queue| {
                queue.is_ready = false;
                // The host may have been paused after it became ready.
                if queue.next_start <= now {
                    started = queue.jobs.pop_front();
                }
                if started.is_some() {
                    queue.open += 1;
                    queue.next_start = now.saturating_add(queue.delay);
                }
            });
            if let Some(job) = started {
                self.open += 1;
                return Some((host, job));
            }
        }
        None
    }

    /// Reports that a job returned by [`start`](Self::start) has ended.
    pub(crate) fn finished(&mut self, host: &str, now: Duration) {
        self.open -= 1;
        let host = self.host(host);
        self.edit(&host, now, |queue| queue.open -= 1);
    }

    /// Returns the time when the next job can start, unless another job has to end first.
    pub(crate) fn wake(&self) -> Option<Duration> {
        let ready = self.ready.first().map(|(time, ..)| *time).filter(|_| self.open < self.in_all);
        let later = self.later.keys().next().map(|(time, _)| *time);
        ready.into_iter().chain(later).min()
    }

    /// Removes all jobs of a host that haven't started.
    pub(crate) fn take(&mut self, host: &str) -> Vec<J> {
        let host = self.host(host);
        let mut jobs = self.take_waiting(&host);
        let keys: Vec<_> =
            self.later.iter().filter(|(_, (of, _))| *of == host).map(|(key, _)| *key).collect();
        jobs.extend(keys.iter().filter_map(|key| self.later.remove(key)).map(|(_, job)| job));
        jobs
    }

    /// Removes a host's jobs that wait only for their turn, but not those that wait for a certain time.
    pub(crate) fn take_waiting(&mut self, host: &str) -> Vec<J> {
        self.hosts.get_mut(host).map(|queue| std::mem::take(&mut queue.jobs).into()).unwrap_or_default()
    }

    /// Returns the number of jobs that are running.
    pub(crate) fn open(&self) -> usize {
        self.open
    }

    /// Returns the shared name of a host, adding the host if it's new.
    fn host(&mut self, name: &str) -> Arc<str> {
        if let Some((name, _)) = self.hosts.get_key_value(name) {
            return Arc::clone(name);
        }
        let name: Arc<str> = name.into();
        let delay = self.delay;
        let queue =
            Host { jobs: VecDeque::new(), open: 0, next_start: Duration::ZERO, delay, is_ready: false };
        self.hosts.insert(Arc::clone(&name), queue);
        name
    }

    /// Edits a host, then adds it to the ready hosts if it can start a job.
    fn edit(&mut self, name: &Arc<str>, now: Duration, edit: impl FnOnce(&mut Host<J>)) {
        let Some(host) = self.hosts.get_mut(name) else { return };
        edit(host);
        if !host.is_ready && !host.jobs.is_empty() && host.open < self.per_host {
            host.is_ready = true;
            self.number += 1;
            self.ready.insert((host.next_start.max(now), self.number, Arc::clone(name)));
        }
    }
}

#[cfg(test)]
#[path = "politeness_tests.rs"]
mod tests;
