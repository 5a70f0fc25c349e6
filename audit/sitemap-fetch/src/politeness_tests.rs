//! Tests the order and timing of requests without a clock.

use super::*;

const fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Starts all jobs that may start, and returns them.
fn started(queue: &mut Politeness<&'static str>, now: Duration) -> Vec<&'static str> {
    std::iter::from_fn(|| queue.start(now)).map(|(_, job)| job).collect()
}

#[test]
fn a_host_has_few_requests_at_once() {
    let mut queue = Politeness::new(2, 10, s(0));
    for job in ["a1", "a2", "a3", "a4"] {
        queue.push("a", job, s(0));
    }
    assert_eq!(started(&mut queue, s(0)), ["a1", "a2"]);
    assert_eq!((queue.open(), queue.wake()), (2, None));
    queue.finished("a", s(1));
    assert_eq!(started(&mut queue, s(1)), ["a3"]);
    queue.finished("a", s(1));
    queue.finished("a", s(1));
    assert_eq!(started(&mut queue, s(1)), ["a4"]);
}

#[test]
fn hosts_take_turns_and_a_busy_host_holds_up_no_other() {
    let mut queue = Politeness::new(2, 4, s(0));
    for job in ["a1", "a2", "a3"] {
        queue.push("a", job, s(0));
    }
    for job in ["b1", "b2", "b3"] {
        queue.push("b", job, s(0));
    }
    assert_eq!(started(&mut queue, s(0)), ["a1", "b1", "a2", "b2"]);
    queue.finished("b", s(0));
    assert_eq!(started(&mut queue, s(0)), ["b3"]);
}

#[test]
fn the_limit_in_all_counts_every_host() {
    let mut queue = Politeness::new(2, 3, s(0));
    for (host, job) in [("a", "a1"), ("b", "b1"), ("c", "c1"), ("d", "d1")] {
        queue.push(host, job, s(0));
    }
    assert_eq!(started(&mut queue, s(0)), ["a1", "b1", "c1"]);
    assert_eq!(queue.wake(), None, "only the end of a request lets another start");
    queue.finished("c", s(5));
    assert_eq!(started(&mut queue, s(5)), ["d1"]);
}

#[test]
fn a_delay_counts_from_start_to_start() {
    let mut queue = Politeness::new(4, 10, s(3));
    for job in ["a1", "a2", "a3"] {
        queue.push("a", job, s(0));
    }
    queue.push("b", "b1", s(0));
    assert_eq!(started(&mut queue, s(0)), ["a1", "b1"]);
    assert_eq!(queue.wake(), Some(s(3)));
    assert_eq!(started(&mut queue, s(2)), [""; 0]);
    assert_eq!(started(&mut queue, s(3)), ["a2"]);
    assert_eq!(queue.wake(), Some(s(6)));
    queue.finished("a", s(60));
    assert_eq!(started(&mut queue, s(60)), ["a3"]);
}

#[test]
fn a_crawl_delay_counts_from_the_last_start() {
    let mut queue = Politeness::new(4, 10, s(1));
    queue.push("a", "robots.txt", s(0));
    assert_eq!(started(&mut queue, s(0)), ["robots.txt"]);
    queue.finished("a", s(2));
    queue.slow_down("a", s(10));
    queue.slow_down("a", s(5));
    queue.push("a", "a1", s(2));
    queue.push("a", "a2", s(2));
    assert_eq!(started(&mut queue, s(2)), [""; 0]);
    assert_eq!(queue.wake(), Some(s(10)));
    assert_eq!(started(&mut queue, s(10)), ["a1"]);
    assert_eq!(queue.wake(), Some(s(20)));
}

#[test]
fn a_pause_holds_all_jobs_of_one_host() {
    let mut queue = Politeness::new(1, 10, s(0));
    queue.push("a", "a1", s(0));
    queue.push("a", "a2", s(0));
    assert_eq!(started(&mut queue, s(0)), ["a1"]);
    queue.pause("a", s(120));
    queue.finished("a", s(1));
    queue.push_later("a", "a1 again", s(120));
    queue.push("b", "b1", s(1));
    assert_eq!(started(&mut queue, s(1)), ["b1"]);
    assert_eq!(queue.wake(), Some(s(120)));
    assert_eq!(started(&mut queue, s(119)), [""; 0]);
    assert_eq!(started(&mut queue, s(120)), ["a1 again"], "a retry comes before jobs that have not started");
    queue.finished("a", s(121));
    assert_eq!(started(&mut queue, s(121)), ["a2"]);
}

#[test]
fn a_pause_that_begins_after_a_host_became_ready_counts() {
    let mut queue = Politeness::new(2, 10, s(0));
    queue.push("a", "a1", s(0));
    queue.push("a", "a2", s(0));
    queue.pause("a", s(7));
    assert_eq!(started(&mut queue, s(0)), [""; 0]);
    assert_eq!(queue.wake(), Some(s(7)));
    assert_eq!(started(&mut queue, s(7)), ["a1", "a2"]);
}

#[test]
fn a_later_job_holds_up_no_other_job_of_its_host() {
    let mut queue = Politeness::new(1, 10, s(0));
    queue.push_later("a", "a1 again", s(4));
    queue.push("a", "a2", s(0));
    assert_eq!(started(&mut queue, s(0)), ["a2"]);
    assert_eq!(queue.wake(), Some(s(4)));
}

#[test]
fn a_given_up_host_loses_all_jobs_that_have_not_started() {
    let mut queue = Politeness::new(1, 10, s(0));
    for job in ["a1", "a2", "a3"] {
        queue.push("a", job, s(0));
    }
    queue.push("b", "b1", s(0));
    assert_eq!(started(&mut queue, s(0)), ["a1", "b1"]);
    queue.push_later("a", "a4", s(9));
    queue.push_later("b", "b2", s(9));
    assert_eq!(queue.take("a"), ["a2", "a3", "a4"]);
    queue.finished("a", s(1));
    queue.finished("b", s(1));
    assert_eq!(started(&mut queue, s(9)), ["b2"]);
}

#[test]
fn a_first_job_comes_before_the_others() {
    let mut queue = Politeness::new(1, 10, s(0));
    queue.push("a", "page", s(0));
    queue.push_first("a", "robots.txt", s(0));
    assert_eq!(started(&mut queue, s(0)), ["robots.txt"]);
}
