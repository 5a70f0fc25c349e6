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
//! A run locks the set with `.sitemap.lock`, which the operating system releases when the process ends. It then
//! finishes or discards an earlier run that was interrupted, removes leftover temporary files, and reads the manifest
//! of the published set.
//!
//! Each new file has a temporary name. When it is complete, its digest (XXH3-128 of the stored bytes) is compared with
//! the one in the manifest. If both are equal, the new file is removed, and the published file stays in place. When all
//! files are complete, the run writes the indexes, runs the guard, syncs the files, and writes the *journal*: what
//! changes in the manifest, with the temporary names of the new files. From then on, either this run or the next one
//! can finish the set. Both perform the same steps:
//!
//! 1. rename the child sitemaps, the feed and `sitemap.html`, and sync the directory;
//! 2. rename the indexes, `sitemap.xml` last, and sync the directory;
//! 3. remove the files that are no longer listed, and sync the directory;
//! 4. write and sync the manifest;
//! 5. remove the journal.
//!
//! Each step can be repeated, so after a crash the next run repeats all of them. If an error occurs before the first
//! rename, the run removes its journal. Before it renames anything, it also checks that nothing, such as a directory,
//! is in the way of a new file. A run opens only regular files and follows no symbolic links.
//!
//! **Names.** With stable names (`sitemap-posts-1.xml`), a crawler that visits between the first and the last rename
//! may find new files under the old index; each file is complete. With digest names (`sitemap-posts-1-3f2a9c41.xml`)
//! and one index, renaming `sitemap.xml` switches the whole set, and the files of the previous set stay for a while.
//! For each kept file, the manifest records when it left the set, how often the set has changed since, and the file's
//! size.
//!
//! # The journal and the manifest
//!
//! The journal contains only new rows and the number of rows that stay, so its size depends on the size of the change.
//! It names the digest of the manifest that it continues. The manifest is replaced in the second-to-last step. So if a
//! run finds another manifest, it knows that the commit is done or that a later run has replaced the set, and removes
//! the journal. If something else damages the manifest between a crash and the next run, the interrupted commit can't
//! be completed: with digest names, visitors see the old or the new set; with stable names, they may see files of both
//! until the next publication.
//!
//! Data that the rows of a section share is written once, to keep the manifest small: each update writes all rows. The
//! last line is a digest of the others. A manifest that is damaged or of another version is kept as
//! `.sitemap-manifest.unreadable.jsonl`. A run without a manifest compares new files with the bytes of the published
//! ones, and doesn't remove unlisted files. A run that keeps sections needs the manifest: it copies the rows of these
//! sections and reads none of their files, unless `sitemap.xml` was the only sitemap and must become a child.
//!
//! # Without locks
//!
//! Storage without locks, such as an object store, supports conditional writes. The journal is created only if there is
//! none, and `sitemap.xml` is replaced only if nobody else has replaced it since the run began. So one of two runs
//! succeeds, and the other ends with `Overtaken`. (A directory on a file system without locks has no such protection,
//! so runs there must not overlap.)
//!
//! - An overtaken run may crash before it removes its journal. So on such storage, the journal also records the state
//!   that it replaces: the digest of the entry point and the metadata of the manifest. A run that finds a different
//!   state removes the journal.
//! - Once the journal exists, another run may complete the commit, and a third one may replace that set. So the
//!   manifest lists the last 16 runs, and a run that finds itself in the list has succeeded. If a request fails after
//!   the run has written its journal, the run leaves the journal in place.
//! - Files can't be removed conditionally. So a run first replaces its journal with a note, conditionally, and then
//!   removes the note. If it is killed between the two steps while others commit, the journal of another run may be
//!   removed. If that other run is killed too, the next update ends with `CannotKeep` and asks for a full publication.
//! - A run that completes a commit may remove an old file while a third run publishes the same content again. So runs
//!   without a lock should keep old files for a while.
//!
//! # The guard
//!
//! A run that would lose too many pages is refused before it writes an index or the journal. The page counts of each
//! section and of the set are compared with the published ones. They are also compared with the highest counts of the
//! last six to twelve weeks, so that many small losses are noticed like one large loss. The default limit is a net loss
//! of 30 % and at least 100 pages. For comparison: octoDNS refuses to change 30 % of a DNS zone, Okta stops an import
//! at 20 % of the users, and `rclone bisync` stops at 50 %. In a small set, ordinary edits are a large share of the
//! pages, hence the 100. A permission applies to one run, because a setting would stay in the program and turn the
//! guard off. Without a manifest, the pages are counted in the published files.
//!
//! The guard compares numbers, not URLs, so a run that replaces every page with another one passes. Updates know which
//! pages they remove, and can limit removals too.
//!
//! # What visitors see after a failure
//!
//! `cargo test -p sitemap-core --all-features --test it publish_faults -- --nocapture` repeats a run, makes a different
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
//! the run works around the failure and reports success. After every failure, the next run succeeds and removes
//! leftover files. `publish_kill` kills a publishing process at 200 random moments and confirms the same.

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
pub(super) use current::not_later_than_now;
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
