//! Publishes complete files as a set: compares them with the published set, and replaces that set in one commit.
//!
//! | what | where |
//! |---|---|
//! | the set before a run, and the set that replaces it | `current`, `next`, `staged`, `commit` |
//! | the file that describes a set | `manifest`, `lines`, `row`, `json`; parts of it in `changes`, `formats`, `positions`, `recent` |
//! | the steps of replacing the files | `journal` |
//! | two runs at once | `exclusion`, `replaced` |
//! | sections that a run does not write | `keep`, `keep_checks` |
//! | files of earlier sets | `retention` |
//! | the loss of pages | `guard`, `history`, `count` |
//! | the names and digests of files | `names`, `digest`, `lookup` |
//!
//! # The commit
//!
//! A run locks the set with `.sitemap.lock`, which the operating system releases when the process ends. It then deals
//! with an interrupted earlier run, removes leftover temporary files, and reads the manifest of the published set.
//!
//! Each new file has a temporary name. When it is complete, its digest (XXH3-128 of the stored bytes) is compared with
//! the one in the manifest. If both are equal, the new file is removed, and the published file stays in place. When all
//! files are complete, the run writes the indexes, asks the guard, syncs the files, and writes the *journal*: what
//! changes in the manifest, with the temporary names of the new files. From then on, the set can be finished by this
//! run or by the next one. Both do the same:
//!
//! 1. rename the child sitemaps, the feed and `sitemap.html`, and sync the directory;
//! 2. rename the indexes, `sitemap.xml` last, and sync the directory;
//! 3. remove the files that are no longer listed, and sync the directory;
//! 4. write and sync the manifest;
//! 5. remove the journal.
//!
//! Each step can be repeated, so after a crash the next run repeats all of them. After an error before the first rename,
//! the run removes its journal. Before it renames anything, it also checks that nothing, such as a directory, is in the
//! place of a new file. A run opens only regular files and follows no symbolic links.
//!
//! **Names.** With stable names (`sitemap-posts-1.xml`), a crawler that comes between the first rename and the last may
//! find new files under the old index; each file is complete. With digest names (`sitemap-posts-1-3f2a9c41.xml`) and one
//! index, the rename of `sitemap.xml` switches the whole set, and the files of the previous set stay for a while. The
//! manifest records when each kept file left the set, how often the set has changed since, and its size.
//!
//! # The journal and the manifest
//!
//! The journal contains only new rows and counts the rows that stay, so its size follows the change. It names the digest
//! of the manifest that it continues. The manifest is replaced in the last step but one, so a run that finds another
//! manifest knows that the commit is done, or that a later run has replaced the set. It then removes the journal. If
//! something else damages the manifest between a crash and the next run, the interrupted commit cannot be completed:
//! with digest names, visitors see the old or the new set, with stable names perhaps files of both until the next
//! publication.
//!
//! What the rows of a section have in common is one line of the manifest, because each update writes all rows. The last
//! line is a digest of the others. A manifest that is damaged or of another version is kept as
//! `.sitemap-manifest.unreadable.jsonl`. A run without a manifest compares new files with the bytes of the published
//! ones, and removes no unlisted files. A run that keeps sections needs the manifest: it copies their rows and reads none
//! of their files, unless `sitemap.xml` was the only sitemap and must become a child.
//!
//! # Without locks
//!
//! A storage without locks, such as an object store, has conditional writes. The journal is created only if there is
//! none, and `sitemap.xml` is replaced only if nobody else has replaced it since the run began. So one of two runs
//! succeeds, and the other ends with `Overtaken`. (A directory on a file system without locks has no such protection;
//! runs there must not overlap.)
//!
//! - A run that was overtaken may die before it removes its journal. So on such a storage, the journal names the state
//!   that it replaces: the digest of the entry point and the metadata of the manifest. A run that finds another state
//!   removes the journal.
//! - Once the journal exists, another run may complete the commit, and a third one may replace that set. So the manifest
//!   names the last 16 runs, and a run that finds itself there has succeeded. A run whose request fails after it has
//!   written the journal leaves it there.
//! - No file can be removed under a condition. So a run replaces its journal by a note, under a condition, and removes
//!   the note. If it is killed between the two steps while others commit, the journal of another run may be removed. If
//!   that run is killed too, the next update ends with `CannotKeep` and asks for a full publication.
//! - The run that completes a commit may remove an old file while a third run publishes the same content again. So runs
//!   without a lock should keep old files for a while.
//!
//! # The guard
//!
//! A run that would lose too many pages is refused before it writes an index or the journal. The number of pages of each
//! section and of the set is compared with the published one, and with the highest one of the last six to twelve weeks,
//! so that many small losses count like one large loss. The limit is a net loss of 30 % and at least 100 pages: octoDNS
//! refuses 30 % for a DNS zone, Okta stops an import at 20 % of the users, `rclone bisync` at 50 %. Small sets change by
//! large shares, hence the 100. A permission belongs to one run, because a setting would stay in the program and turn the
//! guard off. Without a manifest, the pages are counted in the published files.
//!
//! The guard compares numbers, not URLs. A run that replaces every page by another one passes. Updates know their
//! removals and can limit these too.
//!
//! # What visitors see after a failure
//!
//! `cargo test -p sitemap-core --all-features --test it publish_faults -- --nocapture` repeats a run, makes another
//! operation fail each time, and prints which set visitors see:
//!
//! | failing step | error | short write | disk full | crash | power cut |
//! |---|---|---|---|---|---|
//! | lock; read the manifest or the journal; create, write, sync or read a child or the index | old | write: published, else old | old | old | old |
//! | finish a child | old | old | old | old | old |
//! | finish the index | old | old | old or published | old | old |
//! | create the journal | old | old | old | old | old |
//! | write the journal | old | published | old | old | old |
//! | finish, sync or rename the journal | old | old | new | old | old |
//! | rename a child | stable: mixed or old; digest: old | same | new | stable: mixed or old; digest: old | same |
//! | rename the index | stable: mixed or old; digest: old | same | new | stable: any; digest: old or new | same |
//! | sync the directory | stable: any; digest: old or new | same | new or published | as for an error | as for an error |
//! | create or write the manifest | new | write: published, else new | new | new | new |
//! | finish, sync or rename the manifest; remove the journal | new | new | published | new | new |
//! | list the directory | published | published | old | old | old |
//! | remove a file that is no longer listed | published | published | old or new | old or new | old or new |
//!
//! "Old" and "new" are complete sets, and "mixed" is the old index with complete files of both. "Published" means that
//! the run works around the failure and reports success. After every failure, the next run succeeds and removes leftover
//! files. `publish_kill` kills a publishing process at 200 random moments and finds the same.

mod changes;
mod commit;
mod copy;
mod count;
mod current;
pub(super) mod digest;
mod exclusion;
mod formats;
mod guard;
mod history;
mod journal;
mod json;
mod keep;
mod keep_checks;
mod lines;
mod lookup;
pub(super) mod manifest;
pub(super) mod names;
mod next;
mod positions;
mod published;
pub(super) mod recent;
mod replaced;
mod retention;
mod row;
mod side_file;
mod staged;

pub(super) use commit::Commit;
pub(super) use digest::Digest;
pub(super) use guard::Guard;
pub(super) use journal::RemovedFiles;
pub(super) use lookup::metadata_of;
pub(super) use manifest::KnownManifest;
pub(super) use next::NextSet;
pub(super) use next::SetFile;
pub(super) use positions::Positions;
pub(super) use published::{described_manifest, published_manifest, recover};
pub(super) use row::Kind;
pub(super) use row::Row;
pub(super) use side_file::put_side_file;
