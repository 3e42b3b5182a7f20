//! Tasks that an operator's author adds to the manager, which run beside the controllers.

use crate::operator::manager;
use crate::run::{Scenario, in_paused_time};
use parking_lot::Mutex;
use runtime::prometheus_client::encoding::text::encode;
use runtime::prometheus_client::metrics::counter::Counter;
use runtime::{CancellationToken, Manager};
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

/// Runs an operator whose requests are not answered, and tells it to stop after a minute.
async fn run(scenario: Scenario, add_tasks: impl FnOnce(&mut Manager)) -> anyhow::Result<()> {
    let stop = CancellationToken::new();
    let mut manager = manager(&Arc::default(), 0, scenario, &stop);
    add_tasks(&mut manager);
    let _stopping = tokio::spawn(async move {
        sleep(Duration::from_secs(60)).await;
        stop.cancel();
    });
    manager.run().await
}

#[test]
fn tasks_run_while_the_replica_leads_or_on_every_replica() {
    for (scenario, expected) in [(Scenario::Plain, &["leads", "runs"][..]), (Scenario::Election, &["runs"])] {
        in_paused_time(async {
            let begun = Arc::<Mutex<Vec<&str>>>::default();
            let task = |name| {
                let begun = begun.clone();
                async move {
                    begun.lock().push(name);
                    Ok(())
                }
            };
            run(scenario, |manager| {
                manager.spawn(task("leads"));
                manager.spawn_on_every_replica(task("runs"));
            })
            .await
            .unwrap();
            begun.lock().sort_unstable();
            assert_eq!(*begun.lock(), expected);
        });
    }
}

#[test]
fn a_task_that_fails_or_panics_ends_the_operator() {
    in_paused_time(async {
        let failed = run(Scenario::Plain, |manager| manager.spawn(async { anyhow::bail!("no queue") })).await;
        assert_eq!(failed.unwrap_err().to_string(), "no queue");
        let panicked = run(Scenario::Election, |manager| manager.spawn_on_every_replica(async { panic!("no queue") }));
        assert!(panicked.await.unwrap_err().to_string().contains("panicked"));
    });
}

#[test]
fn a_task_ends_with_the_operator() {
    in_paused_time(async {
        let held = Arc::new(());
        let task = || {
            let held = held.clone();
            async move {
                pending::<()>().await;
                drop(held);
                Ok(())
            }
        };
        run(Scenario::Plain, |manager| {
            manager.spawn(task());
            manager.spawn_on_every_replica(task());
        })
        .await
        .unwrap();
        tokio::task::yield_now().await;
        assert_eq!(Arc::strong_count(&held), 1);
    });
}

#[test]
fn metrics_of_the_author_are_beside_those_of_the_runtime() {
    in_paused_time(async {
        let manager = manager(&Arc::default(), 0, Scenario::Plain, &CancellationToken::new());
        let backups = Counter::<u64>::default();
        manager.metrics().register("backups", "Backups that were made", backups.clone());
        backups.inc();
        let mut text = String::new();
        encode(&mut text, &manager.metrics()).unwrap();
        for line in ["backups_total 1", "leader_election_master_status{"] {
            assert!(text.contains(line), "{text}");
        }
    });
}
