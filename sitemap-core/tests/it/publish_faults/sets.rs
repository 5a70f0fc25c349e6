//! The old and new sets that the tests publish, and the checks after a fault.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sitemap_core::PublishError;
use sitemap_core::publish::PublishErrorKind;
use sitemap_core::publish::shards::{PublishedShards, ShardCommit, ShardRow, bucket_of};
use sitemap_core::publish::{IndexLastMod, Names, SetOptions};
use sitemap_core::{Dialect, Replacement, Site, SitemapSet, Summary};

use super::disk::Disk;

pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// Files on the disk that do not belong to the set.
pub(crate) const FOREIGN: [&str; 5] =
    ["index.html", "sitemap-old.xml", ".sitemap.xml.bak", "sitemap-a-9.xml", ".sitemap-x.xml.1-1.tmp~"];

/// The sections of a set and their pages. Each file contains up to two pages.
pub(crate) type Sections = &'static [(&'static str, &'static [&'static str])];

#[derive(Clone, Copy, Debug)]
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    /// The set before the old one. Its files are kept if `keep` is 2.
    pub(crate) older: Sections,
    pub(crate) old: Sections,
    pub(crate) new: Sections,
    /// The sections that a run writes when it publishes `new` and keeps the others. `None` if it writes all sections.
    pub(crate) written: Option<Sections>,
    pub(crate) names: Names,
    pub(crate) gzip: bool,
    /// How many earlier sets to keep the files of.
    pub(crate) keep: u32,
    pub(crate) way: Way,
}

/// How a set is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Replacement,
    /// The sets use four hash buckets. A run replaces the buckets of section `a` that differ.
    Update,
    /// A run moves section `a` from four hash buckets to three.
    Rebucket,
}

const MANY: Sections = &[("a", &["/1", "/2", "/3", "/4", "/5"]), ("b", &["/6"]), ("c", &["/7", "/8"])];
const OTHERS: Sections = &[("a", &["/1", "/2", "/3x", "/4"]), ("c", &["/7", "/8"]), ("d", &["/9"])];
const THIRD: Sections = &[("a", &["/1", "/2", "/3x", "/4", "/5"]), ("e", &["/10"])];
const ONE: Sections = &[("a", &["/1"])];
const MANY_WITH_CHANGES: Sections =
    &[("a", &["/1", "/x"]), ("b", &["/6"]), ("c", &["/7", "/8"]), ("d", &["/9"])];
const CHANGES: Sections = &[("d", &["/9"]), ("a", &["/1", "/x"])];
const ONE_AND_MORE: Sections = &[("a", &["/1"]), ("b", &["/6"])];
const BUCKETS: Sections = &[("a", &["/1", "/2", "/3", "/4", "/5", "/6", "/7"]), ("b", &["/8"])];
const OTHER_BUCKETS: Sections = &[("a", &["/1", "/2", "/3", "/5", "/6", "/7", "/9"]), ("b", &["/8"])];
const MORE: Sections = &[("b", &["/6"])];

pub(crate) fn scenarios() -> Vec<Scenario> {
    let changes: [(&'static str, Sections, Sections, Option<Sections>); 7] = [
        ("first set", &[], MANY, None),
        ("many to many", MANY, OTHERS, None),
        ("many to one", MANY, ONE, None),
        ("one to many", ONE, MANY, None),
        ("no change", MANY, MANY, None),
        ("many, some kept", MANY, MANY_WITH_CHANGES, Some(CHANGES)),
        ("one, kept", ONE, ONE_AND_MORE, Some(MORE)),
    ];
    let mut scenarios = Vec::new();
    for (name, old, new, written) in changes {
        for names in [Names::Stable, Names::Digest] {
            for gzip in [false, true] {
                if gzip && !name.starts_with("many") {
                    continue;
                }
                let keep = u32::from(names == Names::Digest);
                let way = Way::Replacement;
                scenarios.push(Scenario { name, older: &[], old, new, written, names, gzip, keep, way });
            }
        }
    }
    for (names, keep) in [(Names::Digest, 0), (Names::Digest, 2), (Names::Stable, 2)] {
        let name = "many to many";
        // The new set lists files from the older set again.
        scenarios.push(Scenario {
            name,
            older: THIRD,
            old: MANY,
            new: OTHERS,
            written: None,
            names,
            gzip: false,
            keep,
            way: Way::Replacement,
        });
    }
    for (name, way) in [("some buckets", Way::Update), ("other buckets", Way::Rebucket)] {
        let (older, old, new): (Sections, _, _) = (&[], BUCKETS, OTHER_BUCKETS);
        let (written, names) = (None, Names::Digest);
        scenarios.push(Scenario { name, older, old, new, written, names, gzip: false, keep: 1, way });
    }
    scenarios
}

impl Scenario {
    /// Publishes one of the sets. The new set is published as the scenario says, possibly keeping sections.
    pub(crate) fn publish(&self, disk: &Disk, sections: Sections) -> Result<Summary, PublishError> {
        if self.way != Way::Replacement && sections == self.new {
            return self.replace_buckets(disk);
        }
        match self.written.filter(|_| sections == self.new) {
            Some(written) => {
                fill(self.builder()?.keep_sections(true).storage(disk.clone()).replace()?, written)
            }
            None => self.publish_all(disk, sections),
        }
    }

    fn publish_all(&self, disk: &Disk, sections: Sections) -> Result<Summary, PublishError> {
        if self.way != Way::Replacement {
            return self.publish_buckets(disk, sections);
        }
        fill(self.start(disk)?, sections)
    }

    /// Publishes a whole set in hash buckets.
    fn publish_buckets(&self, disk: &Disk, sections: Sections) -> Result<Summary, PublishError> {
        let mut commit = ShardCommit::new(self.builder()?);
        for (section, pages) in sections {
            let buckets = self.buckets(section, sections);
            for row in self.write_buckets(disk, section, pages, buckets, &|_| true)? {
                commit.add(row)?;
            }
        }
        commit.publish(disk.clone())
    }

    /// Replaces the hash buckets of the old set with those of the new one. If the commit first finishes an interrupted
    /// run and finds that it published something newer, starts again.
    fn replace_buckets(&self, disk: &Disk) -> Result<Summary, PublishError> {
        let once = || {
            let site = Site::new("https://example.com")?;
            let published = PublishedShards::read(disk, &site)?;
            let (old, new) = (self.old[0].1, self.new[0].1);
            let differs = |bucket: u32| {
                let of_bucket = |pages: &'static [&'static str]| {
                    pages.iter().filter(move |page| bucket_of(page, 4) == bucket)
                };
                !of_bucket(old).eq(of_bucket(new))
            };
            let commit = ShardCommit::new(self.builder()?);
            let (mut commit, rows) = if self.way == Way::Update {
                let rows = self.write_buckets(disk, "a", new, 4, &differs)?;
                (commit.update(&published, "a", (0..4).filter(|bucket| differs(*bucket)))?, rows)
            } else {
                let rows = self.write_buckets(disk, "a", new, 3, &|_| true)?;
                (commit.replace_section(&published, "a"), rows)
            };
            rows.into_iter().try_for_each(|row| commit.add(row))?;
            commit.publish(disk.clone())
        };
        match once() {
            Err(error) if matches!(error.kind(), PublishErrorKind::Overtaken { .. }) => once(),
            result => result,
        }
    }

    fn buckets(&self, section: &str, sections: Sections) -> u32 {
        if self.way == Way::Rebucket && section == "a" && sections == self.new { 3 } else { 4 }
    }

    fn write_buckets(
        &self,
        disk: &Disk,
        section: &str,
        pages: &[&str],
        buckets: u32,
        is_written: &dyn Fn(u32) -> bool,
    ) -> Result<Vec<ShardRow>, PublishError> {
        let mut shards = self.builder()?.write_shards(disk.clone(), section, buckets)?;
        for bucket in (0..buckets).filter(|bucket| is_written(*bucket)) {
            for page in pages.iter().filter(|page| bucket_of(page, buckets) == bucket) {
                shards.add(bucket, page)?;
            }
        }
        Ok(shards.finish()?.into_rows())
    }

    pub(crate) fn start(&self, disk: &Disk) -> Result<Replacement, PublishError> {
        self.builder()?.storage(disk.clone()).replace()
    }

    fn builder(&self) -> Result<SetOptions, PublishError> {
        let mut limits = Dialect::V0_9.limits();
        limits.urls = 2;
        let site = Site::new("https://example.com")?;
        // Without dates in the index, a set always has the same bytes.
        let builder = SitemapSet::builder(site).index_lastmod(IndexLastMod::Omit);
        let builder = builder.names(self.names).lower_limits(limits).keep_generations(self.keep);
        Ok(if self.gzip { builder.gzip() } else { builder })
    }

    /// Returns the disk before the new set is published.
    pub(crate) fn prepared(&self) -> Disk {
        let disk = Disk::default();
        for name in FOREIGN {
            disk.put(name, name.as_bytes());
        }
        for sections in [self.older, self.old] {
            if !sections.is_empty() {
                self.publish(&disk, sections).unwrap();
            }
        }
        disk
    }

    /// Publishes a set on an empty disk and returns its files.
    pub(crate) fn files_of(&self, sections: Sections) -> Files {
        let disk = Disk::default();
        if !sections.is_empty() {
            self.publish_all(&disk, sections).unwrap();
        }
        let mut files = disk.files();
        files.retain(|name, _| name.starts_with("sitemap"));
        files
    }
}

fn fill(mut run: Replacement, sections: Sections) -> Result<Summary, PublishError> {
    for (name, pages) in sections {
        run.section(name)?.add_all(*pages)?;
    }
    run.commit()
}

/// Which set a crawler finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Found {
    Old,
    New,
    /// The old index, with child sitemaps from both sets. Each child sitemap is complete.
    Mixed,
}

/// Follows the links from the entry point, as a crawler does.
///
/// Panics if a listed file is missing or incomplete, or if old and new files are mixed in any way other than
/// [`Found::Mixed`].
pub(crate) fn found(disk: &Disk, old: &Files, new: &Files, scenario: &Scenario) -> Found {
    let files = disk.files();
    for name in FOREIGN {
        assert_eq!(
            files.get(name).map(Vec::as_slice),
            Some(name.as_bytes()),
            "foreign file {name} has changed"
        );
    }
    let Some(entry) = files.get("sitemap.xml") else {
        assert!(old.is_empty(), "the old set is missing");
        return Found::Old;
    };
    let is_of = |generation: &Files| {
        generation.get("sitemap.xml") == Some(entry)
            && listed(entry).iter().all(|name| files.get(name) == generation.get(name))
    };
    if is_of(new) {
        return if old == new { Found::Old } else { Found::New };
    }
    if is_of(old) {
        return Found::Old;
    }
    assert_eq!(scenario.names, Names::Stable, "a set with digest names is neither the old nor the new one");
    assert_eq!(Some(entry), old.get("sitemap.xml"), "the new index was published before its files");
    for name in listed(entry) {
        let child = files.get(&name).unwrap_or_else(|| panic!("{name} is listed but missing"));
        assert!(old.get(&name) == Some(child) || new.get(&name) == Some(child), "{name} is incomplete");
    }
    Found::Mixed
}

/// Checks that the disk contains the files of `set` and the files named in `kept`. From all other sets, only the files
/// in `may_be_kept` may be left.
pub(crate) fn assert_clean(disk: &Disk, set: &Files, kept: &[&Files], may_be_kept: &[&Files]) {
    let files = disk.files();
    for (name, bytes) in set {
        assert_eq!(files.get(name), Some(bytes), "{name}");
    }
    let names =
        |sets: &[&Files]| -> BTreeSet<String> { sets.iter().flat_map(|set| set.keys()).cloned().collect() };
    for name in names(kept) {
        assert!(files.contains_key(&name), "{name} was not kept");
    }
    let may_be_left: BTreeSet<_> = names(kept).into_iter().chain(names(may_be_kept)).collect();
    for name in files.keys() {
        let is_known = set.contains_key(name)
            || FOREIGN.contains(&name.as_str())
            || name == ".sitemap-manifest.jsonl"
            || is_young_shard(name)
            || may_be_left.contains(name) && !name.ends_with("tmp");
        assert!(is_known, "{name} was left over");
    }
}

/// Returns `true` if a run leaves a temporary file alone, because another process may be writing this shard.
pub(crate) fn is_young_shard(name: &str) -> bool {
    name.starts_with(".sitemap-a-0000") && Path::new(name).extension().is_some_and(|end| end == "tmp")
}

fn listed(xml: &[u8]) -> Vec<String> {
    let xml = String::from_utf8(xml.to_vec()).unwrap();
    assert!(xml.ends_with("</urlset>\n") || xml.ends_with("</sitemapindex>\n"), "incomplete: {xml}");
    if xml.contains("<urlset") {
        return Vec::new();
    }
    let locs = xml.split("<loc>https://example.com/").skip(1);
    locs.map(|rest| rest.split('<').next().unwrap().to_owned()).collect()
}
