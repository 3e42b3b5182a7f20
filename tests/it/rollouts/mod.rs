//! Tests `opctl deploy` on a node whose pods run or fail. Each verdict of `opctl deploy` must be about the image that
//! was deployed, whatever ran before.
//!
//! This command deploys 200 times at random and prints the verdicts:
//!
//! ```text
//! cargo test --test it rollouts -- --ignored --nocapture
//! ```
//!
//! The environment variable `ROLLOUTS` sets another number of deploys, `ROLLOUTS_SEED` another seed, and
//! `ROLLOUTS_OPCTL` the path of another opctl.

mod lane;
mod refusals;

use crate::support::{Plane, Random, asked};
use lane::{Lane, TIMEOUT};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The number of projects that are deployed in parallel.
const LANES: usize = 4;

const GOOD: [&str; 3] = ["web:1", "web:2", "registry.example.com/web:3"];
const BROKEN: [&str; 6] =
    ["fail:pull", "fail:pull-again", "fail:crash", "fail:crash@sha256:{}", "fail:unready", "fail:unready@sha256:{}"];

const RECREATE: &str = "{type: Recreate}";
const STRATEGIES: [&str; 3] = [
    "{rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}",
    "{rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}",
    RECREATE,
];

fn image(random: &mut Random) -> String {
    let image = if random.below(2) == 0 { random.pick(&GOOD) } else { random.pick(&BROKEN) };
    image.replace("{}", &"0".repeat(64))
}

/// Deploys random images, mostly while an earlier deploy is still in progress. Returns each verdict of `opctl deploy`,
/// with a description of the fault if the verdict is wrong.
fn deploys(lane: &Lane, number: usize, mut random: Random) -> Vec<(String, Option<String>)> {
    let mut verdicts = Vec::new();
    for _ in 0..number {
        if random.below(4) == 0 {
            let strategy = random.pick(&STRATEGIES);
            // If two ReplicaSets have pods, changing the number of replicas together with `Recreate` stops the
            // Deployment controller for good (`scale` in pkg/controller/deployment/sync.go).
            let replicas = (strategy != RECREATE).then(|| 1 + random.below(2));
            lane.shape(strategy, replicas);
        }
        if random.below(3) == 0 {
            let _ = lane.deploy(&image(&mut random), &["--wait=false"]);
            std::thread::sleep(Duration::from_millis(u64::try_from(random.below(2000)).unwrap()));
        }
        let image = image(&mut random);
        let run = lane.deploy(&image, &["--timeout", TIMEOUT]);
        let wrong = lane.wrong(&image, &run);
        println!("{}: {image} {} after {:.1}s", lane.name(), run.word(), run.took.as_secs_f32());
        let kind = image.split('@').next().unwrap_or_default().replace("-again", "");
        let kind = if kind.starts_with("fail:") { kind } else { "good".to_owned() };
        verdicts
            .push((format!("{kind}: {}", run.word()), wrong.map(|wrong| format!("{image}: {wrong}\n{}", run.said))));
    }
    verdicts
}

/// Deploys an image that never becomes ready, then an image that works, then the first image again. Returns the fault
/// in opctl's verdict on the last deployment, if the verdict is wrong. For the last deployment, the Deployment
/// controller reports no failure, because it reuses its first `ReplicaSet` when no pod is left.
fn goes_back(plane: &Plane) -> Option<String> {
    let lane = Lane::new(plane, "goes-back");
    lane.shape("{}", None);
    let _ = lane.deploy("fail:unready", &["--wait=false"]);
    lane.shape(RECREATE, None);
    lane.follow_hint(&lane.deploy("web:1", &["--timeout", TIMEOUT]));
    let good = lane.deploy("web:1", &["--timeout", TIMEOUT]);
    let back = lane.deploy("fail:unready", &["--timeout", TIMEOUT]);
    let is_said = back.said.contains("0 of 1 pods are ready, and no progress in 6 s (`progressDeadlineSeconds`)");
    let wrong =
        lane.wrong("fail:unready", &back).or_else(|| (!is_said).then(|| "nothing is said of progress".to_owned()));
    wrong.map(|wrong| format!("{wrong}\n{}{}", good.said, back.said))
}

/// Deploys `number` times in [`LANES`] parallel projects. Returns how often each verdict was given, and the faults.
fn campaign(plane: &Plane, number: usize, seed: u64) -> (BTreeMap<String, usize>, Vec<String>) {
    let lanes: Vec<Lane> = (0..LANES).map(|index| Lane::new(plane, &format!("lane-{index}"))).collect();
    let verdicts: Vec<_> = std::thread::scope(|scope| {
        let run = |(index, lane)| {
            let share = number / LANES + usize::from(index < number % LANES);
            scope.spawn(move || {
                deploys(
                    lane,
                    share,
                    Random(seed.wrapping_add(u64::try_from(index).unwrap()).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
                )
            })
        };
        let threads: Vec<_> = lanes.iter().enumerate().map(run).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let mut counts = BTreeMap::new();
    for (verdict, _) in &verdicts {
        *counts.entry(verdict.clone()).or_default() += 1;
    }
    (counts, verdicts.into_iter().filter_map(|(_, wrong)| wrong).collect())
}

fn number(name: &str, otherwise: u64) -> u64 {
    asked(name).unwrap_or(otherwise)
}

#[test]
#[ignore = "200 deploys take five minutes"]
fn two_hundred_deploys_are_judged_right() {
    let plane = Plane::simulated();
    let begun = Instant::now();
    let (counts, wrong) =
        campaign(&plane, usize::try_from(number("ROLLOUTS", 200)).unwrap(), number("ROLLOUTS_SEED", 1));
    for (verdict, count) in &counts {
        println!("{count:4} {verdict}");
    }
    println!("{} of them wrong, {:.0}s in all", wrong.len(), begun.elapsed().as_secs_f32());
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn some_deploys_are_judged_right_and_refusals_told_apart() {
    let plane = Plane::simulated();
    let (counts, wrong, refusals) = std::thread::scope(|scope| {
        let refusals = scope.spawn(|| refusals::not_told_apart(&plane));
        let back = scope.spawn(|| goes_back(&plane));
        let (counts, wrong) = campaign(&plane, 8, 1);
        (counts, wrong, [refusals.join().unwrap(), back.join().unwrap().into_iter().collect()].concat())
    });
    let wrong = [wrong, refusals].concat();
    assert!(wrong.is_empty(), "{counts:?}\n\n{}", wrong.join("\n\n"));
}
