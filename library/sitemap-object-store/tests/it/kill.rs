//! Kills a process at different moments while it publishes to the S3 server.

use std::env;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use sitemap_core::Storage as _;
use sitemap_core::publish::Names;

use crate::support::{Place, generations, new_folder, publish, s3_folder};

const FOLDER: &str = "SITEMAP_TEST_KILL_FOLDER";
const NAMES: &str = "SITEMAP_TEST_KILL_NAMES";
const GENERATION: &str = "SITEMAP_TEST_KILL_GENERATION";

const MOMENTS: u32 = 12;

/// Publishes one generation of the test set, if the test below started this process. Otherwise does nothing.
#[test]
fn publishes_as_a_child() {
    let (Ok(folder), Ok(names), Ok(generation)) = (env::var(FOLDER), env::var(NAMES), env::var(GENERATION))
    else {
        return;
    };
    let names = if names == "digest" { Names::Digest } else { Names::Stable };
    publish(&s3_folder(&folder).unwrap(), names, &generation).unwrap();
}

/// Returns `true` if `found` is a generation after `before` and before `generation`. `before` may be an intermediate
/// set, which is named `next` and a number.
fn is_later(found: &str, before: &str, generation: u32) -> bool {
    let first = before.trim_start_matches("next").parse::<u32>().unwrap() + 1;
    found.parse().is_ok_and(|found: u32| (first..generation).contains(&found))
}

#[test]
fn a_run_that_was_killed_is_finished_or_dropped_by_the_next() {
    for (names, word) in [(Names::Stable, "stable"), (Names::Digest, "digest")] {
        let folder = new_folder();
        let Some(storage) = s3_folder(&folder) else { return };
        let place = Place::of_s3(storage);
        let child = |generation: u32| -> Child {
            Command::new(env::current_exe().unwrap())
                .args(["--exact", "kill::publishes_as_a_child"])
                .envs([(NAMES, word), (FOLDER, &folder), (GENERATION, &generation.to_string())])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap()
        };
        let start = Instant::now();
        assert!(child(0).wait().unwrap().success());
        let usual = start.elapsed();
        let (mut killed, mut old, mut new, mut mixed) = (0, 0, 0, 0);
        for generation in 1..=MOMENTS {
            let before = generations(&place.storage).pop().unwrap();
            let mut child = child(generation);
            // The children are killed at different moments, from the start of a run to a little after its usual end.
            thread::sleep(
                usual.mul_f64(f64::from(generation) / f64::from(MOMENTS) * 1.2) + Duration::from_millis(1),
            );
            killed += u32::from(child.try_wait().unwrap().is_none());
            child.kill().unwrap();
            child.wait().unwrap();
            // `generations` panics if a file is incomplete.
            match generations(&place.storage).as_slice() {
                [one] if *one == generation.to_string() => new += 1,
                // Before this child was killed, it may have completed the interrupted run of an earlier child. The
                // children between those two may have been killed before they found the journal.
                [one] if *one == before || is_later(one, &before, generation) => old += 1,
                several => {
                    assert_eq!(names, Names::Stable, "{several:?}");
                    mixed += 1;
                }
            }
            if generation % 3 == 0 {
                let next = format!("next{generation}");
                publish(&place.storage, names, &next).unwrap();
                assert_eq!(generations(&place.storage), [next]);
                let listed = place.storage.list().unwrap();
                assert!(
                    !listed.iter().any(|name| name.contains("journal") && !name.contains(".tmp")),
                    "{listed:?}"
                );
            }
        }
        println!(
            "{word}: {killed} of {MOMENTS} runs killed; the set was old {old}, new {new}, mixed {mixed} times"
        );
        assert!(killed > 0, "every child ended before it could be killed");
    }
}
