//! How hosts responded to requests for robots.txt, and how their folders responded to requests for nonexistent pages.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::content::bytes;
use super::error::StateError;
use super::open_state::State;
use super::table::{Table, TableId};
use crate::content::Blocks;
use crate::robots::{Access, RobotsAnswer, RobotsTxt};
use crate::visit::{Outcome, Visit};

const HOSTS: Table<Host> = Table::new(TableId::Hosts);
const PROBES: Table<Probe> = Table::new(TableId::Probes);

/// A host's robots.txt.
///
/// ```
/// use std::time::UNIX_EPOCH;
/// use sitemap_pages::robots::RobotsAnswer;
/// use sitemap_pages::state::{Host, State};
///
/// let state = State::in_memory()?;
/// let body = b"User-agent: *\nDisallow: /cart\n".to_vec();
/// state.store_host("https://example.com", &Host::new(RobotsAnswer::Status(200), body, UNIX_EPOCH))?;
///
/// let access = state.host("https://example.com")?.unwrap().access();
/// assert!(!access.agent("sitemap").is_allowed("https://example.com/cart"));
/// # Ok::<(), sitemap_pages::state::StateError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Host {
    /// The result of the request.
    pub answer: RobotsAnswer,
    /// The body. At most [`RobotsTxt::MAX_LEN`] bytes are stored, plus one if there are more.
    pub body: Vec<u8>,
    /// When the request was made.
    #[serde(with = "crate::stamp")]
    pub at: SystemTime,
}

impl Host {
    /// Creates a record of a host's robots.txt.
    pub fn new(answer: RobotsAnswer, body: Vec<u8>, at: SystemTime) -> Self {
        Self { answer, body, at }
    }

    /// Returns what a crawler may fetch.
    pub fn access(&self) -> Access {
        Access::new(self.answer, &self.body)
    }
}

/// How a folder responded to a request for a nonexistent page.
#[derive(Serialize, Deserialize)]
struct Probe {
    visit: Visit,
    #[serde(with = "bytes")]
    blocks: Blocks,
}

impl State {
    /// Stores the robots.txt of a host, identified by its scheme, name and port, such as `https://example.com`.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the state file can't be written.
    pub fn store_host(&self, origin: &str, host: &Host) -> Result<(), StateError> {
        let body = host.body[..host.body.len().min(RobotsTxt::MAX_LEN + 1)].to_vec();
        self.db.write(|| self.db.put(&HOSTS, origin.as_bytes(), &Host { body, ..*host }))
    }

    /// Returns the robots.txt of a host.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the state file can't be read.
    pub fn host(&self, origin: &str) -> Result<Option<Host>, StateError> {
        self.db.get(&HOSTS, origin.as_bytes())
    }

    /// Returns all hosts, ordered by name.
    pub fn hosts(&self) -> impl Iterator<Item = Result<(String, Host), StateError>> {
        self.db.all(HOSTS).map(|row| row.map(|(key, host)| (super::content::url(&key), host)))
    }

    /// Stores the visit to a nonexistent page under the URL of its folder.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the state file can't be written.
    pub fn store_probe(&self, folder: &str, visit: &Visit) -> Result<(), StateError> {
        let blocks = match &visit.outcome {
            Outcome::Page { facts, .. } => facts.blocks.clone(),
            _ => Blocks::default(),
        };
        self.db.write(|| self.db.put(&PROBES, folder.as_bytes(), &Probe { visit: visit.clone(), blocks }))
    }

    /// Returns the visit to a nonexistent page. Unlike the facts of stored pages, its facts include their blocks.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the state file can't be read.
    pub fn probe(&self, folder: &str) -> Result<Option<Visit>, StateError> {
        Ok(self.db.get(&PROBES, folder.as_bytes())?.map(Probe::visit))
    }

    /// Returns all probes, ordered by folder.
    pub fn probes(&self) -> impl Iterator<Item = Result<(String, Visit), StateError>> {
        self.db.all(PROBES).map(|row| row.map(|(key, probe)| (super::content::url(&key), probe.visit())))
    }
}

impl Probe {
    fn visit(mut self) -> Visit {
        if let Outcome::Page { facts, .. } = &mut self.visit.outcome {
            facts.blocks = self.blocks;
        }
        self.visit
    }
}
