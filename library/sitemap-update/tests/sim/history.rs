//! One history.

use std::sync::Arc;

use fastrand::Rng;

use crate::clients::{self, Client, Role};
use crate::disk::{Disk, Kind};
use crate::model::{Model, Outcome};
use crate::storage::Handle;
use crate::world::{Habits, Outcomes, Sim};

/// The result of a history.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) failure: Option<String>,
    pub(crate) outcomes: Outcomes,
    /// The last steps.
    pub(crate) log: String,
    /// A digest of all steps, and their number.
    pub(crate) digest: u64,
    pub(crate) steps: u64,
}

/// Plays a seed's history. With `has_recent`, most updates write the recent section.
pub(crate) fn play(seed: u64, has_recent: bool) -> Report {
    let mut random = Rng::with_seed(seed);
    let kind = if random.bool() { Kind::Folder } else { Kind::Bucket };
    let habits = Habits::of(&mut random, kind);
    let mut roles = vec![Role::Update, Role::Update, Role::Read];
    let others = [Role::Update, Role::Rebucket, Role::PublishPosts, Role::PublishShop, Role::Read];
    roles.extend((0..random.usize(1..=3)).map(|_| others[random.usize(..others.len())]));
    let sim = Arc::new(Sim::new(Disk::new(kind), random.fork(), roles.len()));

    // Publishes the first set, before anything can fail.
    let started = clients::start(Handle::new(&sim, 0), &mut random).map_err(|error| error.to_string());
    let model = started.and_then(|()| Model::new(&sim.world().disk));
    let scripts = {
        let mut world = sim.world();
        match model {
            Ok(model) => world.model = model,
            Err(failure) => world.fail(failure),
        }
        world.habits = habits;
        let client = |(number, role)| Client {
            number,
            role,
            has_recent,
            random: random.fork(),
            rounds: random.u32(1..=3),
        };
        let clients: Vec<_> = roles.into_iter().enumerate().map(client).collect();
        let script = |client: Client| -> Box<dyn FnOnce() + Send> {
            let sim = Arc::clone(&sim);
            Box::new(move || client.run(&sim))
        };
        clients.into_iter().map(script).collect()
    };
    sim.run(scripts);
    end(&sim, random, has_recent);

    let world = sim.world();
    let habits = format!("  {kind:?}, {habits:?}\n");
    Report {
        failure: world.failure.clone(),
        outcomes: world.outcomes,
        log: habits + &world.log.text(),
        digest: world.log.digest,
        steps: world.log.count,
    }
}

/// Checks that the set can still be changed after everything that happened.
fn end(sim: &Arc<Sim>, random: Rng, has_recent: bool) {
    {
        let mut world = sim.world();
        world.habits = Habits::QUIET;
        world.arrive(true);
        world.revive();
    }
    let mut last = Client { number: 0, role: Role::Update, has_recent, random, rounds: 0 };
    for (role, second) in [(Role::Update, 1), (Role::PublishShop, 2), (Role::Update, 3)] {
        let mut operate = |role, minute| {
            last.role = role;
            last.operate(&Handle::new(sim, 0), &format!("2026-02-01T00:{minute:02}:{second:02}Z"))
        };
        let mut outcome = operate(role, 1);
        if outcome == Outcome::NeedsAll && operate(Role::PublishAll, 2) == Outcome::Done {
            outcome = operate(role, 3);
        }
        let mut world = sim.world();
        if outcome != Outcome::Done {
            world.fail(format!("the set can no longer be changed: {outcome:?}, {role:?}"));
        }
        let left = world.disk.names().into_iter().find(|name| name == ".sitemap-journal.jsonl");
        if let Some(left) = left {
            world.fail(format!("`{left}` is left"));
        }
    }
}
