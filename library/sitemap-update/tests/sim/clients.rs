//! The clients: updaters, re-bucketers, publishers and readers.

use std::collections::BTreeMap;
use std::io;
use std::io::Read as _;
use std::sync::Arc;
use std::time::Duration;

use fastrand::Rng;
use sitemap_core::publish::shards::{ShardCommit, bucket_of};
use sitemap_core::publish::{Names, PublishError, PublishErrorKind, SetOptions, ShrinkLimit};
use sitemap_core::{Dialect, Entry, LastMod, Loc, Site, SitemapSet, Storage};
use sitemap_update::{Rebucket, Recent, Update, UpdateError};

use crate::disk::Kind;
use crate::model::{self, Change, Crawled, ENTRY_POINT, Outcome, Pages, SITE};
use crate::storage::Handle;
use crate::world::Sim;

pub(crate) const POSTS: &str = "https://example.com/posts/";
pub(crate) const SHOP: &str = "https://example.com/shop/";

/// What a client does repeatedly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Update,
    Rebucket,
    /// Publishes all posts as shards.
    PublishPosts,
    /// Publishes all posts as the whole set.
    PublishAll,
    /// Publishes the shop next to the posts.
    PublishShop,
    Read,
}

/// Files contain at most five pages, so each bucket has several files.
fn builder(storage: &Handle) -> SetOptions {
    let mut limits = Dialect::V0_9.limits();
    limits.urls = 5;
    let builder = SitemapSet::builder(Site::new(SITE).unwrap()).lower_limits(limits).threads(1);
    let builder = builder.max_shrink(ShrinkLimit::OFF).names(Names::Digest).keep_sections(true);
    match storage.kind() {
        Kind::Folder => builder,
        // Suppose one run completes another run's commit. It may then delete an old file while a third run publishes a
        // file of the same name. So without a lock, old files must be kept longer than any run takes.
        Kind::Bucket => builder.keep_for(Duration::from_secs(60 * 60)),
    }
}

fn entry(url: &str, date: Option<&str>) -> Entry<'static> {
    let date = date.map(|date| date.parse::<LastMod>().unwrap());
    Entry::new(Loc::parse(url.to_owned()).unwrap()).with_lastmod(date)
}

fn entries(pages: &Pages) -> impl Iterator<Item = Entry<'static>> {
    pages.iter().map(|(url, date)| entry(url, date.as_deref()))
}

/// Returns some pages with this date. Each operation uses a different date, so that we can recognise its effect.
fn some_pages(random: &mut Rng, start: &str, date: &str, most: usize) -> Pages {
    let number = random.usize(1..=most);
    let ids = random.choose_multiple(0..20, number);
    ids.into_iter().map(|id| (format!("{start}{id}"), Some(date.to_owned()))).collect()
}

/// Publishes the first set.
pub(crate) fn start(storage: Handle, random: &mut Rng) -> Result<(), PublishError> {
    let posts = builder(&storage);
    publish_posts(posts, storage.clone(), &some_pages(random, POSTS, "2025-01-01", 16), random.u32(1..=4))?;
    publish_shop(storage, &some_pages(random, SHOP, "2025-01-01", 4))
}

fn publish_posts(
    builder: SetOptions,
    storage: Handle,
    pages: &Pages,
    buckets: u32,
) -> Result<(), PublishError> {
    let mut shards = builder.clone().write_shards(storage.clone(), "posts", buckets)?;
    for bucket in 0..buckets {
        for entry in entries(pages).filter(|entry| bucket_of(entry.loc().as_str(), buckets) == bucket) {
            shards.add(bucket, &entry)?;
        }
    }
    let mut commit = ShardCommit::new(builder);
    for row in shards.finish()?.into_rows() {
        commit.add(row)?;
    }
    commit.publish(storage).map(drop)
}

fn publish_shop(storage: Handle, pages: &Pages) -> Result<(), PublishError> {
    let mut run = builder(&storage).storage(storage).replace()?;
    run.section("shop")?.add_all(entries(pages))?;
    run.commit().map(drop)
}

/// A client that repeats its role.
#[derive(Debug)]
pub(crate) struct Client {
    pub(crate) number: usize,
    pub(crate) role: Role,
    pub(crate) has_recent: bool,
    pub(crate) random: Rng,
    pub(crate) rounds: u32,
}

impl Client {
    pub(crate) fn run(mut self, sim: &Arc<Sim>) {
        for round in 0..self.rounds {
            let handle = Handle::new(sim, self.number);
            if self.role == Role::Read {
                if let Err(failure) = read(&handle) {
                    sim.world().fail(failure);
                }
                continue;
            }
            // The time contains two different numbers, so the date is unique.
            let date = format!("2026-01-{:02}T00:00:{round:02}Z", self.number + 1);
            self.operate(&handle, &date);
        }
    }

    /// Runs one operation, and checks its result against the model.
    pub(crate) fn operate(&mut self, handle: &Handle, date: &str) -> Outcome {
        let random = &mut self.random;
        let (change, run): (Change, Box<dyn FnOnce(Handle) -> Outcome>) = match self.role {
            Role::Update => {
                let mut changes: BTreeMap<_, _> = some_pages(random, POSTS, date, 3);
                for url in some_pages(random, POSTS, date, 2).into_keys() {
                    changes.entry(url).or_insert(None);
                }
                let mut update = Update::new(&builder(handle).storage(handle.clone()))
                    .default_section("posts")
                    .pause(Duration::ZERO)
                    .attempts(12);
                // A seed determines the history only if each client has a single thread.
                update = update.at_once(1);
                let is_recent = self.has_recent && random.u32(..4) > 0;
                update = update.recent(is_recent.then(Recent::new));
                for (url, date) in &changes {
                    update
                        .add(match date {
                            Some(date) => sitemap_update::Change::Upsert(entry(url, Some(date))),
                            None => sitemap_update::Change::Remove(Loc::parse(url.clone()).unwrap()),
                        })
                        .unwrap();
                }
                (
                    Change::Pages(changes, is_recent),
                    Box::new(move |handle| of_update(update.commit_to(handle).map(drop))),
                )
            }
            Role::Rebucket => {
                let rebucket = Rebucket::new(&builder(handle).storage(handle.clone()), random.u32(1..=4))
                    .section("posts");
                let rebucket = rebucket.attempts(12).pause(Duration::ZERO).at_once(1);
                (Change::Files, Box::new(move |handle| of_update(rebucket.commit_to(handle).map(drop))))
            }
            Role::PublishPosts | Role::PublishAll => {
                let (pages, buckets) = (some_pages(random, POSTS, date, 16), random.u32(1..=4));
                let is_all = self.role == Role::PublishAll;
                let change = Change::Section(if is_all { SITE } else { POSTS }, pages.clone());
                let builder = builder(handle).keep_sections(!is_all);
                (change, Box::new(move |handle| of_publish(publish_posts(builder, handle, &pages, buckets))))
            }
            Role::PublishShop | Role::Read => {
                let pages = some_pages(random, SHOP, date, 8);
                let change = Change::Section(SHOP, pages.clone());
                (change, Box::new(move |handle| of_publish(publish_shop(handle, &pages))))
            }
        };
        let number = {
            let mut world = handle.sim.world();
            let number = world.model.begin(change);
            world.log.add(format!("{}: starts {:?} as operation {number}", self.number, self.role));
            number
        };
        let outcome = run(handle.clone());
        let outcome = if handle.is_dead() { Outcome::Unknown } else { outcome };
        let mut world = handle.sim.world();
        world.log.add(format!("{}: ends operation {number}: {outcome:?}", self.number));
        world.outcomes.count(outcome);
        if world.failure.is_none()
            && let Err(failure) = world.model.end(number, outcome)
        {
            world.fail(failure);
        }
        outcome
    }
}

fn of_update(result: Result<(), UpdateError>) -> Outcome {
    match result {
        Ok(()) => Outcome::Done,
        Err(UpdateError::Publish(error)) => of_publish(Err(error)),
        Err(_) => Outcome::Refused,
    }
}

fn of_publish(result: Result<(), PublishError>) -> Outcome {
    match result {
        Ok(()) => Outcome::Done,
        Err(error) => match error.kind() {
            PublishErrorKind::Io { .. } | PublishErrorKind::Aborted { .. } => Outcome::Unknown,
            PublishErrorKind::CannotKeep { .. } => Outcome::NeedsAll,
            _ => Outcome::Refused,
        },
    }
}

/// Reads the set as a crawler does: the index, then its children.
fn read(handle: &Handle) -> Result<(), String> {
    let bytes = |name: &str| -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        handle.open(name)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let Ok(index) = bytes(ENTRY_POINT) else { return Ok(()) };
    // No other client has had a turn in between.
    let (expected, switches) = {
        let world = handle.sim.world();
        (Arc::clone(&world.model.pages), world.model.switches)
    };
    let mut crawled = Crawled::default();
    for name in model::children(&index)? {
        match bytes(&name) {
            Ok(bytes) => crawled.add(&name, &bytes)?,
            // A set's files are kept until the set after the next one is published.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let since = handle.sim.world().model.switches - switches;
                return if since > 1 { Ok(()) } else { Err(format!("a reader misses `{name}`")) };
            }
            Err(_) => return Ok(()),
        }
    }
    if crawled.check()?.pages == *expected {
        Ok(())
    } else {
        Err("a reader sees another set than the published one".to_owned())
    }
}
