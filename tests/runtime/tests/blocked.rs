//! A reconciler that blocks the thread of all passes, on a real API server.

use clap::Parser;
use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, ObjectMeta, PostParams};
use kube::{Client, Config};
use runtime::{Action, CancellationToken, Context, Controller, Manager};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

/// The time for which the reconciler blocks: twice the duration of the lease.
const BLOCKED: Duration = Duration::from_secs(10);

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    options: runtime::Options,
}

async fn reconcile(_: Arc<ConfigMap>, ctx: Arc<Context<UnboundedSender<()>>>) -> anyhow::Result<Action> {
    ctx.state.send(())?;
    std::thread::sleep(BLOCKED);
    ctx.state.send(())?;
    Ok(Action::done())
}

/// Returns the first line of the answer to a probe.
fn probed(port: u16) -> std::io::Result<String> {
    let mut probe = TcpStream::connect(("127.0.0.1", port))?;
    probe.set_read_timeout(Some(Duration::from_secs(5)))?;
    write!(probe, "GET /healthz HTTP/1.1\r\nhost: operator\r\nconnection: close\r\n\r\n")?;
    let mut answer = String::new();
    probe.read_to_string(&mut answer)?;
    Ok(answer.lines().next().unwrap_or_default().to_owned())
}

/// Checks the probe while the pass lasts. Returns each state of the lease in that time.
async fn watched(port: u16, config: Config) -> Vec<LeaseSpec> {
    let leases: Api<Lease> = Api::namespaced(Client::try_from(config).unwrap(), "default");
    let (start, mut seen) = (Instant::now(), Vec::new());
    while start.elapsed() < BLOCKED - Duration::from_secs(1) {
        let answer = probed(port).map_err(|error| error.to_string());
        assert_eq!(answer.as_deref(), Ok("HTTP/1.1 200 OK"), "after {:?}", start.elapsed());
        let lease = leases.get("blocked").await.unwrap().spec.unwrap();
        if seen.last() != Some(&lease) {
            seen.push(lease);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    seen
}

/// A reconciler that blocks the manager's thread, here that of the test, delays neither the lease nor the probes.
#[tokio::test]
#[ignore = "it needs the control plane that KUBECONFIG names"]
async fn a_reconciler_that_blocks_its_thread_holds_up_neither_lease_nor_probes() {
    let config = Config::infer().await.unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address = format!("--health-probe-bind-address=127.0.0.1:{port}");
    let election = ["--leader-elect", "--leader-election-lease-duration=5s", "--leader-election-namespace=default"];
    let flags = [&["operator", "--watch-namespace=default", &address][..], &election].concat();
    let (options, stop) = (Flags::parse_from(flags).options, CancellationToken::new());
    let mut manager = Manager::new("blocked", options, config.clone(), stop.clone()).unwrap();
    let (said, mut passes) = unbounded_channel();
    manager.add_with(said, Controller::namespaced("map", reconcile));

    let outside = std::thread::spawn(move || {
        // Also if an assertion fails.
        let _stop = stop.drop_guard();
        let metadata = ObjectMeta { name: Some("slow".to_owned()), ..ObjectMeta::default() };
        let map = ConfigMap { metadata, ..ConfigMap::default() };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let maps: Api<ConfigMap> = Api::namespaced(Client::try_from(config.clone()).unwrap(), "default");
            maps.create(&PostParams::default(), &map).await.unwrap();
            passes.recv().await.unwrap();
            let seen = watched(port, config).await;
            assert!(passes.try_recv().is_err(), "the pass has ended before");
            passes.recv().await.unwrap();
            seen
        })
    });
    manager.run().await.unwrap();
    let seen = outside.join().unwrap();
    assert!(seen.len() > 5, "a lease of 5 s is renewed every 700 ms: {seen:#?}");
    assert!(seen.iter().all(|lease| lease.holder_identity == seen[0].holder_identity), "{seen:#?}");
}
