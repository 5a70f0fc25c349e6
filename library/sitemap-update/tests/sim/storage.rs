//! The storage as a client sees it. Each operation takes up the client's turn, and may fail.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Cursor, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sitemap_core::publish::files::JOURNAL;
use sitemap_core::storage::{LockGuard, Metadata, NewFile, Storage, StorageError};

use crate::disk::{Disk, Kind, Request};
use crate::world::{Sim, World, plain};

/// The storage during one of a client's lives.
#[derive(Clone)]
pub(crate) struct Handle {
    pub(crate) sim: Arc<Sim>,
    client: usize,
    life: u32,
    /// The finished files that an object store's client has not sent yet.
    unsent: Arc<Mutex<BTreeMap<String, Arc<[u8]>>>>,
}

/// What happens to a request after it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Normal,
    Fails,
    CrashesBefore,
    CrashesAfter,
    LosesAnswer,
    Repeats,
    IsLate,
    CrashesAndIsLate,
}

impl Handle {
    pub(crate) fn new(sim: &Arc<Sim>, client: usize) -> Self {
        let life = sim.world().life(client);
        Self { sim: Arc::clone(sim), client, life, unsent: Arc::default() }
    }

    /// Returns `true` if the client has crashed.
    pub(crate) fn is_dead(&self) -> bool {
        self.sim.world().life(self.client) != self.life
    }

    /// Waits for the client's turn. A client does nothing after it has crashed or the history has failed.
    fn turn(&self) -> io::Result<MutexGuard<'_, World>> {
        self.check(&self.sim.world())?;
        let mut world = self.sim.turn(self.client);
        let delay = world.habits.delay;
        if world.happens(delay) {
            world.make_wait(self.client);
            drop(world);
            world = self.sim.turn(self.client);
        }
        self.check(&world)?;
        Ok(world)
    }

    fn check(&self, world: &World) -> io::Result<()> {
        if world.life(self.client) == self.life && world.failure.is_none() {
            Ok(())
        } else {
            Err(io::Error::new(io::ErrorKind::BrokenPipe, "the client has crashed"))
        }
    }

    /// Reads something.
    fn read<T>(&self, verb: &str, name: &str, answer: impl FnOnce(&Disk) -> T) -> io::Result<T> {
        let mut world = self.turn()?;
        let (fail, crash) = (world.habits.fail, world.habits.crash);
        let fate = if world.happens(fail) {
            Fate::Fails
        } else if world.happens(crash) {
            Fate::CrashesBefore
        } else {
            Fate::Normal
        };
        world.log.add(format!("{}: {verb} {}: {fate:?}", self.client, plain(name)));
        match fate {
            Fate::Normal => Ok(answer(&world.disk)),
            Fate::Fails => Err(io::Error::other("simulated failure")),
            _ => {
                world.crash(self.client);
                Err(io::ErrorKind::BrokenPipe.into())
            }
        }
    }

    /// Sends a request.
    fn send(&self, request: Request) -> io::Result<bool> {
        let mut world = self.turn()?;
        let fate = fate(&mut world, &request);
        let lost = || io::Error::new(io::ErrorKind::TimedOut, "simulated loss of the answer");
        let result = match fate {
            Fate::Fails => Err(io::Error::other("simulated failure")),
            Fate::CrashesBefore => Err(lost()),
            Fate::IsLate | Fate::CrashesAndIsLate => {
                world.delay(request.clone());
                Err(lost())
            }
            Fate::Normal | Fate::CrashesAfter | Fate::Repeats => world.carry_out(&request),
            Fate::LosesAnswer => world.carry_out(&request).and_then(|_| Err(lost())),
        };
        let short = result.as_ref().map_err(io::Error::kind);
        let names = plain(&request.names().join(" "));
        world.log.add(format!("{}: {} {names}: {fate:?}, {short:?}", self.client, request.verb()));
        match fate {
            Fate::CrashesBefore | Fate::CrashesAfter | Fate::CrashesAndIsLate => {
                world.crash(self.client);
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            Fate::Repeats => {
                drop(world);
                let mut world = self.turn()?;
                let result = world.carry_out(&request);
                world.log.add(format!("{}: again: {result:?}", self.client));
                return result;
            }
            _ => {}
        }
        // A bucket also needs some time to respond.
        if world.disk.kind == Kind::Bucket && world.random.u32(..4) == 0 {
            drop(world);
            drop(self.turn()?);
        }
        result
    }

    pub(crate) fn kind(&self) -> Kind {
        self.sim.world().disk.kind
    }

    fn unsent(&self) -> MutexGuard<'_, BTreeMap<String, Arc<[u8]>>> {
        self.unsent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn bytes_of(&self, name: &str) -> io::Result<Arc<[u8]>> {
        let unsent = self.unsent().get(name).cloned();
        match unsent {
            Some(bytes) => Ok(bytes),
            None => self.read("open", name, |disk| disk.bytes(name))?.ok_or(io::ErrorKind::NotFound.into()),
        }
    }

    /// Deletes the file with the temporary name after it was sent under its final name.
    fn remove_staged(&self, name: &str) {
        if self.unsent().remove(name).is_none() {
            // A later run deletes what is left behind.
            let _ = self.send(Request::Remove(name.to_owned()));
        }
    }
}

fn fate(world: &mut World, request: &Request) -> Fate {
    let mut habits = world.habits;
    // A deletion that arrives late can delete another run's journal. If that run also crashes, the next one reports
    // that the manifest does not describe the published set. No storage can delete a file conditionally.
    if matches!(request, Request::Remove(name) if name == JOURNAL) {
        (habits.late, habits.repeat) = (0, 0);
    }
    let fates = [
        (habits.fail, Fate::Fails),
        (habits.crash, Fate::CrashesBefore),
        (habits.crash, Fate::CrashesAfter),
        (habits.lose_answer, Fate::LosesAnswer),
        (habits.repeat, Fate::Repeats),
        (habits.late, Fate::IsLate),
        (habits.late, Fate::CrashesAndIsLate),
    ];
    fates.into_iter().find(|(often, _)| world.happens(*often)).map_or(Fate::Normal, |(_, fate)| fate)
}

impl Storage for Handle {
    fn lock(&self) -> Result<Option<LockGuard>, StorageError> {
        if self.kind() == Kind::Bucket {
            return Ok(None);
        }
        let failed = |error| StorageError::io("lock", &self.locate(""), error);
        let mut world = self.turn().map_err(failed)?;
        let free = world.lock.is_none();
        world.log.add(format!("{}: lock: {free}", self.client));
        if !free {
            return Err(StorageError::Locked { path: "simulation".into(), pid: None });
        }
        world.lock = Some((self.client, self.life));
        Ok(Some(Box::new(Unlock(self.clone()))))
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn NewFile>> {
        if self.kind() == Kind::Folder {
            self.send(Request::Create(name.to_owned()))?;
        }
        Ok(Box::new(SimFile { handle: self.clone(), name: name.to_owned(), held: Vec::new() }))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        if self.kind() == Kind::Folder {
            return self.send(Request::Rename(from.to_owned(), to.to_owned())).map(drop);
        }
        let unsent = self.unsent().get(from).cloned();
        self.send(match unsent {
            Some(bytes) => Request::Put(to.to_owned(), bytes),
            None => Request::Copy(from.to_owned(), to.to_owned()),
        })?;
        self.remove_staged(from);
        Ok(())
    }

    fn rename_if(&self, from: &str, to: &str, seen: Option<&Metadata>) -> io::Result<bool> {
        if self.kind() == Kind::Folder {
            return self.send(Request::RenameIf(from.to_owned(), to.to_owned(), seen.cloned()));
        }
        let bytes = self.bytes_of(from)?;
        let tag = seen.and_then(|seen| seen.tag.clone());
        let request = Request::PutIf(to.to_owned(), Arc::clone(&bytes), tag);
        let is_renamed = self.send(request)?
            || match self.bytes_of(to) {
                Ok(stored) => stored == bytes,
                Err(error) if error.kind() == io::ErrorKind::NotFound => false,
                Err(error) => return Err(error),
            };
        if is_renamed {
            self.remove_staged(from);
        }
        Ok(is_renamed)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        if self.unsent().remove(name).is_some() {
            return Ok(());
        }
        self.send(Request::Remove(name.to_owned())).map(drop)
    }

    fn metadata(&self, name: &str) -> io::Result<Option<Metadata>> {
        let unsent = self.unsent().get(name).map(|bytes| bytes.len() as u64);
        self.read("look up", name, |disk| match unsent {
            Some(len) => Some(Metadata::new(len, std::time::SystemTime::UNIX_EPOCH)),
            None => disk.metadata(name),
        })
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(Cursor::new(self.bytes_of(name)?)))
    }

    fn list(&self) -> io::Result<Vec<String>> {
        self.read("list", "", Disk::names)
    }

    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        if self.kind() == Kind::Bucket {
            return self.send(Request::Put(name.to_owned(), bytes.into())).map(drop);
        }
        // The same as the default implementation.
        let temporary = sitemap_core::storage::temporary_name(name);
        let mut file = self.create(&temporary)?;
        let written = file
            .write_all(bytes)
            .and_then(|()| file.finish())
            .and_then(|_| self.sync_file(&temporary))
            .and_then(|()| self.rename(&temporary, name))
            .and_then(|()| self.sync_names());
        if written.is_err() {
            let _ = self.remove(&temporary);
        }
        written
    }

    fn sync_file(&self, name: &str) -> io::Result<()> {
        if self.kind() == Kind::Folder {
            return self.read("sync", name, |_| ());
        }
        let unsent = self.unsent().get(name).cloned();
        if let Some(bytes) = unsent {
            self.send(Request::Put(name.to_owned(), bytes))?;
            self.unsent().remove(name);
        }
        Ok(())
    }

    fn sync_names(&self) -> io::Result<()> {
        match self.kind() {
            Kind::Folder => self.read("sync", "", |_| ()),
            Kind::Bucket => Ok(()),
        }
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle").field("client", &self.client).finish_non_exhaustive()
    }
}

struct Unlock(Handle);

impl Drop for Unlock {
    fn drop(&mut self) {
        let mut world = self.0.sim.world();
        if world.lock == Some((self.0.client, self.0.life)) {
            world.lock = None;
        }
    }
}

/// A file that is being written.
#[derive(Debug)]
struct SimFile {
    handle: Handle,
    name: String,
    /// The bytes that an object store's client has not sent yet.
    held: Vec<u8>,
}

impl Write for SimFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.handle.kind() == Kind::Bucket {
            self.held.extend_from_slice(bytes);
        } else {
            self.handle.send(Request::Append(self.name.clone(), bytes.into()))?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl NewFile for SimFile {
    fn finish(&mut self) -> io::Result<Metadata> {
        if self.handle.kind() == Kind::Bucket {
            let bytes: Arc<[u8]> = std::mem::take(&mut self.held).into();
            let metadata = Metadata::new(bytes.len() as u64, std::time::SystemTime::UNIX_EPOCH);
            self.handle.unsent().insert(self.name.clone(), bytes);
            return Ok(metadata);
        }
        let found = self.handle.read("finish", &self.name, |disk| disk.metadata(&self.name))?;
        found.ok_or(io::ErrorKind::NotFound.into())
    }
}
