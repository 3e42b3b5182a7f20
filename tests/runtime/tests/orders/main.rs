//! Tests of the runtime under many orders of events: a model of the API server answers an operator when a schedule says
//! so, and properties are checked at every moment and at rest.

mod across;
mod affected;
mod answers;
mod conformance;
mod credentials;
mod details;
mod directed;
mod errors;
mod judge;
mod knowledge;
mod mirror;
mod model;
mod operator;
mod page;
mod passes;
mod rules;
mod run;
mod schedule;
mod standby;
mod tasks;
mod user;
mod world;

use run::{Scenario, play};
use std::fs;
use std::ops::Range;
use std::panic::catch_unwind;
use std::path::Path;

/// Returns the properties that a schedule breaks.
fn wrong(scenario: Scenario, schedule: &[u8]) -> Vec<String> {
    let (moved, panicked) = (schedule.to_vec(), vec!["a panic".to_owned()]);
    catch_unwind(move || play(scenario, &moved).wrong).unwrap_or(panicked)
}

/// Plays a schedule. If it fails, returns a report about the shortest schedule that still fails.
fn check(scenario: Scenario, schedule: Vec<u8>, name: &str) -> Option<String> {
    if wrong(scenario, &schedule).is_empty() {
        return None;
    }
    let short = schedule::shrink(schedule, |schedule| !wrong(scenario, schedule).is_empty());
    let outcome = play(scenario, &short);
    let (text, trace) = (schedule::hex(&short), outcome.trace.join("\n"));
    Some(format!("{name} of {scenario:?}: {text}\n{trace}\n{:#?}", outcome.wrong))
}

/// Plays all schedules. Panics with reports about the first five schedules that fail.
fn check_all(schedules: impl Iterator<Item = (String, Scenario, Vec<u8>)>) {
    let (mut count, mut failed) = (0, Vec::new());
    for (name, scenario, schedule) in schedules {
        failed.extend(check(scenario, schedule, &name));
        count += 1;
        if failed.len() == 5 {
            break;
        }
    }
    println!("{count} schedules played, {} failed", failed.len());
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

fn random(seeds: Range<u64>) {
    check_all(seeds.map(|seed| {
        let scenario = Scenario::of(seed);
        (format!("seed {seed}"), scenario, schedule::random(seed, scenario))
    }));
}

/// Plays every `step`-th of the schedules with at most two reorderings, beginning with number `first`.
fn reordered(first: usize, step: usize) {
    let of = |scenario| schedule::reordered(scenario).map(move |schedule| (scenario, schedule));
    let all = Scenario::ALL.into_iter().flat_map(of).enumerate();
    let all = all.map(|(number, (scenario, schedule))| (format!("number {number}"), scenario, schedule));
    check_all(all.skip(first).step_by(step));
}

#[test]
fn nothing_goes_wrong_without_faults() {
    for scenario in Scenario::ALL {
        let outcome = play(scenario, &[]);
        assert!(outcome.wrong.is_empty(), "{scenario:?}\n{}\n{:#?}", outcome.trace.join("\n"), outcome.wrong);
    }
}

#[test]
fn random_schedules_hold() {
    random(0..100);
}

#[test]
#[ignore = "a campaign; SEEDS=FROM..TO"]
fn more_random_schedules_hold() {
    let seeds = std::env::var("SEEDS").unwrap_or("0..100000".into());
    let (from, to) = seeds.split_once("..").expect("a range");
    random(from.parse().unwrap()..to.parse().unwrap());
}

#[test]
fn some_with_two_reorderings_hold() {
    reordered(0, 1499);
}

#[test]
#[ignore = "a campaign; PART=NUMBER/PARTS"]
fn all_with_two_reorderings_hold() {
    let part = std::env::var("PART").unwrap_or("0/1".into());
    let (first, step) = part.split_once('/').expect("a part");
    reordered(first.parse().unwrap(), step.parse().unwrap());
}

#[test]
fn the_same_schedule_is_the_same_run() {
    for seed in 0..21 {
        let scenario = Scenario::of(seed);
        let schedule = schedule::random(seed, scenario);
        let (one, other) = (play(scenario, &schedule).trace, play(scenario, &schedule).trace);
        let differ = one.iter().zip(&other).position(|(one, other)| one != other);
        let at = differ.unwrap_or(one.len().min(other.len()));
        let around = |trace: &[String]| trace[at.saturating_sub(8)..trace.len().min(at + 3)].join("\n");
        assert!(one == other, "seed {seed} at {at}:\n{}\n---\n{}", around(&one), around(&other));
    }
}

/// The schedules in testdata/orders, each of which has failed once, no longer fail.
#[test]
fn schedules_that_failed_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/orders");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let mut count = 0;
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (scenario, bytes) = line.split_once(':').expect("`scenario: bytes`");
            let scenario = Scenario::ALL.into_iter().find(|known| format!("{known:?}") == scenario).unwrap();
            let outcome = play(scenario, &schedule::from_hex(bytes));
            let trace = outcome.trace.join("\n");
            assert!(outcome.wrong.is_empty(), "{}\n{trace}\n{:#?}", path.display(), outcome.wrong);
            count += 1;
        }
        assert!(count > 0, "{} has no schedule", path.display());
    }
}
