//! The position of a table: the version that is published, in a file.

use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use datafusion::catalog::Session;
use datafusion::common::{exec_datafusion_err, exec_err, plan_datafusion_err};
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::error::{DataFusionError, Result};
use datafusion::object_store::{self, ObjectStore, ObjectStoreExt as _};
use serde::{Deserialize, Serialize};

/// The content of the file of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Version {
    /// The identity of the table, because another table in its place has other versions.
    pub(super) table: String,
    pub(super) version: u64,
}

/// The position of a table of the session. It is saved after the commit of the rows.
#[derive(Debug)]
pub(crate) struct Position {
    place: Place,
    /// The version in the file when the table was created.
    published: Option<Version>,
    /// The version that the table of the session has.
    read: Version,
}

#[derive(Clone, Debug)]
enum Place {
    File(PathBuf),
    Object(Arc<dyn ObjectStore>, object_store::path::Path, String),
}

/// The positions of the tables of a session, by the names of the tables.
#[derive(Debug, Default)]
pub(crate) struct Positions {
    tables: Mutex<HashMap<String, Arc<Position>>>,
    /// The locks of files. They end with the session.
    locks: Mutex<HashMap<PathBuf, File>>,
}

impl Positions {
    /// Returns the positions of a session that [`register`](crate::register) has prepared.
    fn of(session: &dyn Session) -> Result<Arc<Self>> {
        session.config().get_extension::<Self>().ok_or_else(|| {
            plan_datafusion_err!(
                "the session keeps no positions; prepare it with `sitemap_datafusion::register`"
            )
        })
    }

    /// Returns the position of a table, for the option `save_position`.
    pub(crate) fn find(session: &dyn Session, table: &str) -> Result<Arc<Position>> {
        let positions = Self::of(session)?;
        let tables = positions.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.get(table).cloned().ok_or_else(|| {
            plan_datafusion_err!(
                "`save_position` names the table {table:?}, which has no position; create the Delta table with \
                 `OPTIONS (position '…')` first"
            )
        })
    }

    /// Removes the position that an earlier table of this name had.
    pub(super) fn forget(session: &dyn Session, table: &str) {
        if let Ok(positions) = Self::of(session) {
            positions.tables.lock().unwrap_or_else(PoisonError::into_inner).remove(table);
        }
    }

    /// Locks a file for the rest of the session.
    fn lock(&self, path: &Path) -> Result<()> {
        let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
        let name = with_suffix(path, ".lock");
        if locks.contains_key(&name) {
            return Ok(());
        }
        let cannot = |error| exec_datafusion_err!("cannot lock the position `{}`: {error}", path.display());
        let file = File::options().create(true).append(true).open(&name).map_err(cannot)?;
        match file.try_lock() {
            Ok(()) => locks.insert(name, file),
            Err(TryLockError::WouldBlock) => {
                return exec_err!(
                    "another run uses the position `{}`; wait until it ends, because the older of two runs could publish \
                     last",
                    path.display()
                );
            }
            Err(TryLockError::Error(error)) => return Err(cannot(error)),
        };
        Ok(())
    }
}

/// A position that is locked and read, before its table is.
pub(super) struct Opened {
    place: Place,
    pub(super) published: Option<Version>,
}

impl Opened {
    pub(super) async fn open(session: &dyn Session, location: &str) -> Result<Self> {
        let place = if location.contains("://") {
            let url = ListingTableUrl::parse(location)?;
            let store = session.runtime_env().object_store(&url)?;
            Place::Object(store, url.prefix().clone(), location.to_owned())
        } else {
            let path = std::path::absolute(location)?;
            Positions::of(session)?.lock(&path)?;
            Place::File(path)
        };
        let published = place.read().await?;
        Ok(Self { place, published })
    }

    /// Keeps the position in the session, for the option `save_position`.
    pub(super) fn keep(self, session: &dyn Session, table: &str, read: Version) -> Result<()> {
        let position = Arc::new(Position { place: self.place, published: self.published, read });
        let positions = Positions::of(session)?;
        positions.tables.lock().unwrap_or_else(PoisonError::into_inner).insert(table.to_owned(), position);
        Ok(())
    }
}

impl Position {
    /// Saves the version that was read as the published one. Repeating it changes nothing.
    pub(crate) async fn save(&self) -> Result<()> {
        let found = self.place.read().await?;
        if found.as_ref() == Some(&self.read) {
            return Ok(());
        }
        if found != self.published {
            return exec_err!(
                "the position {} has changed since this run began, so another run may have published newer rows before it; \
                 publish all rows again, and start only one run at a time",
                self.place
            );
        }
        self.place.write(&self.read).await?;
        log::info!("position: version {} is saved in {}", self.read.version, self.place);
        Ok(())
    }
}

impl Place {
    async fn read(&self) -> Result<Option<Version>> {
        let bytes = match self {
            Self::File(path) => match fs::read(path) {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return exec_err!("cannot read the position {self}: {error}"),
            },
            Self::Object(store, path, _) => match store.get(path).await {
                Ok(found) => found.bytes().await?.to_vec(),
                Err(object_store::Error::NotFound { .. }) => return Ok(None),
                Err(error) => return exec_err!("cannot read the position {self}: {error}"),
            },
        };
        serde_json::from_slice(&bytes).map(Some).map_err(|error| {
            exec_datafusion_err!(
                "{self} is not the position of a Delta table: {error}; remove it, and publish all rows again"
            )
        })
    }

    async fn write(&self, version: &Version) -> Result<()> {
        let text =
            serde_json::to_string(version).map_err(|error| DataFusionError::External(Box::new(error)))?;
        let written = match self {
            Self::File(path) => replace(path, &text).map_err(|error| error.to_string()),
            Self::Object(store, path, _) => {
                store.put(path, text.into()).await.map(drop).map_err(|error| error.to_string())
            }
        };
        written.map_err(|error| {
            exec_datafusion_err!(
                "the rows are published, but their position cannot be saved in {self}: {error}; mend this, and run the \
                 statements again, which applies the same changes again and changes nothing twice"
            )
        })
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File(path) => write!(f, "`{}`", path.display()),
            Self::Object(_, _, url) => write!(f, "`{url}`"),
        }
    }
}

/// Replaces a file in one step, so that it never has half of a position.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let part = with_suffix(path, ".part");
    let mut file = File::create(&part)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(part, path)
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
