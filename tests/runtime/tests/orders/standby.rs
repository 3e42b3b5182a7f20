//! Replicas that do not lead: their caches are warm, and they write nothing.

use crate::run::{Run, Scenario, in_paused_time};
use std::time::Duration;
use tokio::time::Instant;

/// Returns the index of the process that leads, and the index of the other process.
fn roles(run: &Run) -> (usize, usize) {
    let leads = |index: &usize| !run.processes[*index].log.lock().passes.is_empty();
    let leader = [0, 1].into_iter().find(leads).expect("one has had passes");
    (leader, 1 - leader)
}

/// Returns the plurals of the kinds that a process watches.
fn watched(run: &Run, sender: usize) -> Vec<&'static str> {
    let world = run.world.lock();
    let open = world.open.iter().filter(|open| open.sender == sender);
    let mut watched: Vec<_> = open.map(|open| open.watch.request.kind.plural).collect();
    watched.sort_unstable();
    watched
}

/// Waits for the first pass of a process. Returns how long it took.
async fn first_pass(run: &mut Run, index: usize, within: u64) -> Duration {
    let start = Instant::now();
    while run.processes[index].log.lock().passes.is_empty() {
        assert!(start.elapsed() < Duration::from_secs(within), "no pass in {within} s");
        run.idle().await;
        let pause = if run.next() { 5 } else { 50 };
        tokio::time::sleep(Duration::from_millis(pause)).await;
    }
    start.elapsed()
}

#[test]
fn a_follower_has_all_in_its_caches_and_leads_soon_after_a_release() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Election).await;
        run.rest().await;
        let (leader, follower) = roles(&run);
        let sender = run.processes[follower].sender;
        assert_eq!(watched(&run, sender), ["configmaps", "roles", "webs"]);
        let asked = |run: &Run| {
            let beginning = format!("{sender} GET ");
            let lines = run.world.lock().trace.clone();
            let lists = lines.into_iter().filter(|line| line.starts_with(&beginning) && !line.contains("leases"));
            lists.count()
        };
        let before = asked(&run);
        // A pod that is deleted is not started again.
        let stopped = run.processes.remove(leader);
        stopped.stop.cancel();
        let took = first_pass(&mut run, 0, 4).await;
        assert!(took <= Duration::from_secs(3), "{took:?}");
        assert_eq!(asked(&run), before, "nothing is listed again");
        run.settled().await;
    });
}

#[test]
fn a_follower_leads_soon_after_the_lease_of_a_killed_leader_has_expired() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Election).await;
        run.rest().await;
        let (leader, _) = roles(&run);
        let killed = run.processes.remove(leader);
        killed.ended.abort();
        run.world.lock().crash(killed.sender, false);
        let took = first_pass(&mut run, 0, 20).await;
        assert!(took <= Duration::from_secs(18), "{took:?}");
        run.settled().await;
    });
}
