//! Tests that let each operation of a run fail in every possible way. After each failure, a crawler must find a whole
//! set, and the next run must succeed and clean up.

mod disk;
mod sets;

use std::collections::{BTreeMap, BTreeSet};

use self::disk::{Disk, Fault};
use self::sets::{Files, Found, Scenario, assert_clean, found, is_young_shard, scenarios};
use sitemap_core::publish::Names;

const FAULTS: [Fault; 9] = [
    Fault::Error,
    Fault::ShortWrite,
    Fault::DiskFull,
    Fault::CrashBefore,
    Fault::CrashAfter,
    Fault::PowerCut(0),
    Fault::PowerCut(u32::MAX),
    Fault::PowerCut(0xAAAA_AAAA),
    Fault::PowerCut(0x5555_5555),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Outcome {
    is_ok: bool,
    found: Found,
}

/// The outcomes of all runs, first by the kind of file names (`true` for digest names) and the operation, then by the
/// fault.
#[derive(Default)]
struct Table(BTreeMap<(bool, String), BTreeMap<Fault, BTreeSet<Outcome>>>);

#[test]
fn every_fault_at_every_operation() {
    let mut table = Table::default();
    let mut runs = 0;
    for scenario in scenarios() {
        let prepared = scenario.prepared();
        let (old, new) = (scenario.files_of(scenario.old), scenario.files_of(scenario.new));
        let operations = operations(&scenario, &prepared);
        for (at, operation) in operations.iter().enumerate() {
            for fault in FAULTS {
                let context = format!("{scenario:?}, {fault:?} at {at}: {operation}");
                let outcome = std::panic::catch_unwind(|| check(&scenario, &prepared, &old, &new, at, fault))
                    .unwrap_or_else(|_| panic!("{context}"));
                runs += 1;
                let key = (scenario.names == Names::Digest, operation.clone());
                table.0.entry(key).or_default().entry(fault).or_default().insert(outcome);
            }
        }
    }
    table.print();
    println!("{runs} faults, each followed by a run that succeeded");
}

fn operations(scenario: &Scenario, prepared: &Disk) -> Vec<String> {
    let disk = prepared.fork();
    disk.plan(usize::MAX, Fault::Error);
    scenario.publish(&disk, scenario.new).unwrap();
    disk.log()
}

fn check(scenario: &Scenario, prepared: &Disk, old: &Files, new: &Files, at: usize, fault: Fault) -> Outcome {
    let disk = prepared.fork();
    disk.plan(at, fault);
    let result = scenario.publish(&disk, scenario.new);
    disk.restart();
    let outcome = Outcome { is_ok: result.is_ok(), found: found(&disk, old, new, scenario) };
    if outcome.is_ok {
        assert!(
            outcome.found == Found::New || old == new,
            "the run succeeded, but the old set is still published"
        );
        // A crawler with the old index may still request the old files.
        for name in kept(scenario, old).iter().flat_map(|files| files.keys()) {
            assert!(disk.files().contains_key(name), "{name}");
        }
    }

    let recovered = disk.fork();
    drop(scenario.start(&recovered).unwrap());
    assert_ne!(found(&recovered, old, new, scenario), Found::Mixed, "recovery left a mixed set");
    let left: Vec<_> = recovered
        .files()
        .into_keys()
        .filter(|name| name.contains(".xml.") && name.contains(".tmp") && !is_young_shard(name))
        .collect();
    assert_eq!(left, [".sitemap-x.xml.1-1.tmp~"], "only the foreign temporary file may remain");

    let again = disk.fork();
    scenario.publish(&again, scenario.new).unwrap();
    let older = scenario.files_of(scenario.older);
    assert_clean(
        &again,
        new,
        &kept(scenario, old).into_iter().chain(kept_twice(scenario, &older)).collect::<Vec<_>>(),
        &[],
    );

    // Publish the old set again. The run must not mistake files of the new set for files of the old set.
    if !old.is_empty() {
        scenario.publish(&disk, scenario.old).unwrap();
        // If the new set was not published, the files of the older set are still kept as those of the previous set.
        let may_be_kept: Vec<_> =
            kept(scenario, new).into_iter().chain(kept_twice(scenario, &older)).collect();
        assert_clean(&disk, old, &[], &may_be_kept);
    }
    outcome
}

/// Returns the files of the previous set if a run keeps them.
fn kept<'f>(scenario: &Scenario, before: &'f Files) -> Option<&'f Files> {
    (scenario.keep >= 1).then_some(before)
}

/// Returns the files of the set before the previous one if a run keeps them.
fn kept_twice<'f>(scenario: &Scenario, older: &'f Files) -> Option<&'f Files> {
    (scenario.keep >= 2).then_some(older)
}

#[test]
fn a_crash_in_the_recovery_from_a_crash() {
    let mut pairs = 0;
    for scenario in
        scenarios().into_iter().filter(|scenario| !scenario.gzip && scenario.name == "many to many")
    {
        let prepared = scenario.prepared();
        let (old, new) = (scenario.files_of(scenario.old), scenario.files_of(scenario.new));
        let operations = operations(&scenario, &prepared);
        for at in 0..operations.len() {
            for (first, second) in [
                (Fault::CrashAfter, Fault::CrashAfter),
                (Fault::PowerCut(0xAAAA_AAAA), Fault::PowerCut(0x5555_5555)),
            ] {
                let crashed = prepared.fork();
                crashed.plan(at, first);
                assert!(scenario.publish(&crashed, scenario.new).is_err() || at + 1 >= operations.len());
                crashed.restart();
                for then in 0.. {
                    let disk = crashed.fork();
                    disk.plan(then, second);
                    // Start a run, which recovers the set, but do not finish it.
                    let started = scenario.start(&disk).map(drop);
                    let done = disk.log().len();
                    disk.restart();
                    let context = format!("{first:?} at {at}, {second:?} at {then}");
                    found(&disk, &old, &new, &scenario);
                    scenario
                        .publish(&disk, scenario.new)
                        .unwrap_or_else(|error| panic!("{context}: {error}"));
                    let older = scenario.files_of(scenario.older);
                    let kept: Vec<_> =
                        kept(&scenario, &old).into_iter().chain(kept_twice(&scenario, &older)).collect();
                    assert_clean(&disk, &new, &kept, &[]);
                    pairs += 1;
                    if started.is_ok() && then >= done {
                        break;
                    }
                }
            }
        }
    }
    println!("{pairs} pairs of crashes");
}

impl Table {
    fn print(&self) {
        let columns = ["error", "short write", "disk full", "crash", "power cut"];
        for (is_digest, title) in [(false, "stable names"), (true, "digest names")] {
            println!("\n| {title} | {} |\n|---{}|", columns.join(" | "), "|---".repeat(columns.len()));
            for ((_, operation), faults) in self.0.iter().filter(|((digest, _), _)| *digest == is_digest) {
                let cell = |column: usize| {
                    let outcomes = faults.iter().filter(|(fault, _)| column_of(**fault) == column);
                    let outcomes: BTreeSet<_> = outcomes.flat_map(|(_, outcomes)| outcomes).collect();
                    outcomes
                        .iter()
                        .map(|outcome| outcome.words())
                        .collect::<BTreeSet<_>>()
                        .into_iter()
                        .collect::<Vec<_>>()
                        .join(", ")
                };
                let cells: Vec<_> = (0..columns.len()).map(cell).collect();
                println!("| {operation} | {} |", cells.join(" | "));
            }
        }
    }
}

fn column_of(fault: Fault) -> usize {
    match fault {
        Fault::Error => 0,
        Fault::ShortWrite => 1,
        Fault::DiskFull => 2,
        Fault::CrashBefore | Fault::CrashAfter => 3,
        Fault::PowerCut(_) => 4,
    }
}

impl Outcome {
    fn words(self) -> &'static str {
        match (self.is_ok, self.found) {
            (true, _) => "published",
            (false, Found::Old) => "old",
            (false, Found::New) => "new",
            (false, Found::Mixed) => "mixed",
        }
    }
}
