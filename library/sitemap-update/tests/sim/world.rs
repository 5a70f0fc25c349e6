//! The scheduler: exactly one thread runs at a time, and the seed decides which.

use std::collections::VecDeque;
use std::io;
use std::ops::AddAssign;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use fastrand::Rng;

use crate::disk::{Disk, Kind, Request};
use crate::model::{Model, Outcome};

/// One history: the storage, the model, and the clients, which take turns.
#[derive(Debug)]
pub(crate) struct Sim {
    world: Mutex<World>,
    wake: Vec<Condvar>,
    ended: Condvar,
}

/// What a client can see and change during its turn.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) disk: Disk,
    pub(crate) model: Model,
    pub(crate) random: Rng,
    pub(crate) habits: Habits,
    pub(crate) failure: Option<String>,
    pub(crate) log: Log,
    pub(crate) outcomes: Outcomes,
    /// The client that holds the lock, and the number of the life in which it took the lock.
    pub(crate) lock: Option<(usize, u32)>,
    clients: Vec<Client>,
    turn: Option<usize>,
    step: u64,
    /// Requests whose client has given up, and the steps at which they arrive.
    late: Vec<(u64, Request)>,
}

/// The probability of each event, in thousandths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Habits {
    /// The current client gets the next turn too.
    pub(crate) keep_turn: u32,
    /// A request waits while other clients continue.
    pub(crate) delay: u32,
    pub(crate) fail: u32,
    pub(crate) crash: u32,
    /// The response is lost, and the client gives up.
    pub(crate) lose_answer: u32,
    /// The response is lost, and the client retries the request.
    pub(crate) repeat: u32,
    /// The client gives up or crashes, and the request arrives later.
    pub(crate) late: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Client {
    /// The number of crashes.
    life: u32,
    is_done: bool,
    waits_until: u64,
}

/// The number of operations with each outcome.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outcomes {
    pub(crate) done: u64,
    pub(crate) refused: u64,
    pub(crate) needs_all: u64,
    pub(crate) unknown: u64,
}

impl Outcomes {
    pub(crate) fn count(&mut self, outcome: Outcome) {
        *match outcome {
            Outcome::Done => &mut self.done,
            Outcome::Refused => &mut self.refused,
            Outcome::NeedsAll => &mut self.needs_all,
            Outcome::Unknown => &mut self.unknown,
        } += 1;
    }
}

impl AddAssign for Outcomes {
    fn add_assign(&mut self, other: Self) {
        self.done += other.done;
        self.refused += other.refused;
        self.needs_all += other.needs_all;
        self.unknown += other.unknown;
    }
}

/// The last log lines of a history, and a digest of all lines.
#[derive(Debug, Default)]
pub(crate) struct Log {
    lines: VecDeque<String>,
    pub(crate) digest: u64,
    pub(crate) count: u64,
}

impl Log {
    pub(crate) fn add(&mut self, line: String) {
        const SHOWN: usize = 150;

        for byte in line.bytes() {
            // FNV-1a.
            self.digest = (self.digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        self.count += 1;
        if self.lines.len() == SHOWN {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }

    pub(crate) fn text(&self) -> String {
        self.lines.iter().map(|line| format!("  {line}\n")).collect()
    }
}

impl Habits {
    /// Nothing fails, and nothing waits.
    pub(crate) const QUIET: Self =
        Self { keep_turn: 1000, delay: 0, fail: 0, crash: 0, lose_answer: 0, repeat: 0, late: 0 };

    pub(crate) fn of(random: &mut Rng, kind: Kind) -> Self {
        let mut pick = |values: &[u32]| values[random.usize(..values.len())];
        let quiet = Self {
            keep_turn: pick(&[0, 500, 800, 950]),
            delay: pick(&[0, 10, 50]),
            fail: pick(&[0, 0, 5, 20]),
            crash: pick(&[0, 0, 5, 20]),
            ..Self::QUIET
        };
        match kind {
            Kind::Folder => quiet,
            Kind::Bucket => Self {
                lose_answer: pick(&[0, 0, 5, 20]),
                repeat: pick(&[0, 0, 10, 50]),
                late: pick(&[0, 0, 5, 20]),
                ..quiet
            },
        }
    }
}

impl World {
    /// Returns `true` with a probability of `thousandths` in a thousand.
    pub(crate) fn happens(&mut self, thousandths: u32) -> bool {
        thousandths > 0 && self.random.u32(..1000) < thousandths
    }

    pub(crate) fn life(&self, client: usize) -> u32 {
        self.clients[client].life
    }

    /// Ends a client's life. No request that it sends after this arrives.
    pub(crate) fn crash(&mut self, client: usize) {
        if self.lock == Some((client, self.clients[client].life)) {
            self.lock = None;
        }
        self.clients[client].life += 1;
        self.log.add(format!("{client}: crash"));
    }

    pub(crate) fn fail(&mut self, failure: String) {
        self.log.add(format!("failure: {failure}"));
        self.failure.get_or_insert(failure);
    }

    /// Executes a request, and checks the published set.
    pub(crate) fn carry_out(&mut self, request: &Request) -> io::Result<bool> {
        let result = self.disk.carry_out(request);
        if result.is_ok()
            && let Err(failure) = self.model.check(&self.disk, &request.names())
        {
            self.fail(failure);
        }
        result
    }

    /// Delays a request by some steps.
    pub(crate) fn delay(&mut self, request: Request) {
        let at = self.step + self.random.u64(1..200);
        self.late.push((at, request));
    }

    /// Executes the late requests that are due, or all of them.
    pub(crate) fn arrive(&mut self, all: bool) {
        while let Some(at) = self.late.iter().position(|(at, _)| all || *at <= self.step) {
            let (_, request) = self.late.remove(at);
            let result = self.carry_out(&request).map_err(|error| error.kind());
            let names = request.names().join(" ");
            self.log.add(format!("late: {} {}: {result:?}", request.verb(), plain(&names)));
        }
    }

    /// Makes a client wait for some steps.
    pub(crate) fn make_wait(&mut self, client: usize) {
        let steps = self.random.u64(1..100);
        self.clients[client].waits_until = self.step + steps;
    }

    /// Lets the first client act after all clients have finished.
    pub(crate) fn revive(&mut self) {
        self.clients[0] = Client { is_done: false, waits_until: 0, ..self.clients[0] };
    }

    fn next(&mut self, last: Option<usize>) -> Option<usize> {
        let step = self.step;
        let runs = |client: &Client| !client.is_done && client.waits_until <= step;
        if let Some(last) = last.filter(|last| runs(&self.clients[*last]))
            && self.happens(self.habits.keep_turn)
        {
            return Some(last);
        }
        let all = |test: &dyn Fn(&Client) -> bool| -> Vec<usize> {
            (0..self.clients.len()).filter(|client| test(&self.clients[*client])).collect()
        };
        let mut found = all(&runs);
        if found.is_empty() {
            found = all(&|client| !client.is_done);
        }
        self.random.choice(found)
    }
}

impl Sim {
    /// Starts a history with empty storage. Nothing fails yet.
    pub(crate) fn new(disk: Disk, random: Rng, clients: usize) -> Self {
        let world = World {
            disk,
            model: Model::default(),
            random,
            habits: Habits::QUIET,
            outcomes: Outcomes::default(),
            failure: None,
            log: Log::default(),
            lock: None,
            clients: vec![Client::default(); clients],
            turn: None,
            step: 0,
            late: Vec::new(),
        };
        let wake = (0..clients).map(|_| Condvar::new()).collect();
        Self { world: Mutex::new(world), wake, ended: Condvar::new() }
    }

    pub(crate) fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a client's next turn.
    pub(crate) fn turn(&self, client: usize) -> MutexGuard<'_, World> {
        let mut world = self.world();
        if world.failure.is_some() {
            return world;
        }
        world.step += 1;
        let time = Duration::from_millis(world.random.u64(..400));
        world.disk.wait(time);
        if let Some(next) = world.next(Some(client)).filter(|next| *next != client) {
            world.turn = Some(next);
            self.wake[next].notify_one();
            world = self.wait(client, world);
        }
        world.arrive(false);
        world
    }

    fn wait<'w>(&self, client: usize, mut world: MutexGuard<'w, World>) -> MutexGuard<'w, World> {
        while world.turn != Some(client) {
            world = self.wake[client].wait(world).unwrap_or_else(PoisonError::into_inner);
        }
        world
    }

    fn end(&self, client: usize) {
        let mut world = self.world();
        world.clients[client].is_done = true;
        world.turn = world.next(None);
        match world.turn {
            Some(next) => self.wake[next].notify_one(),
            None => self.ended.notify_one(),
        }
    }

    /// Runs all clients until they finish, one at a time.
    pub(crate) fn run(self: &Arc<Self>, scripts: Vec<Box<dyn FnOnce() + Send>>) {
        let start = |(client, script): (usize, Box<dyn FnOnce() + Send>)| {
            let sim = Arc::clone(self);
            thread::spawn(move || {
                drop(sim.wait(client, sim.world()));
                if let Err(panic) = catch_unwind(AssertUnwindSafe(script)) {
                    let text = panic.downcast_ref::<String>().cloned();
                    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()));
                    sim.world().fail(format!("client {client} panicked: {}", text.unwrap_or_default()));
                }
                sim.end(client);
            })
        };
        let threads: Vec<_> = scripts.into_iter().enumerate().map(start).collect();
        let mut world = self.world();
        world.turn = world.next(None);
        if let Some(first) = world.turn {
            self.wake[first].notify_one();
        }
        while world.turn.is_some() {
            world = self.ended.wait(world).unwrap_or_else(PoisonError::into_inner);
        }
        drop(world);
        for thread in threads {
            // The threads catch panics themselves.
            let _ = thread.join();
        }
    }
}

/// Returns the names without the numbers of temporary files, which differ from run to run.
pub(crate) fn plain(names: &str) -> String {
    let plain = |name: &str| match sitemap_core::storage::final_name(name) {
        Some(name) => format!("new {name}"),
        None => name.to_owned(),
    };
    names.split(' ').map(plain).collect::<Vec<_>>().join(" ")
}
