// ANCHOR: imports
use clap::Parser;
use kube::Config;
use runtime::{Manager, telemetry};
use webapp_operator::controller::apps::web_app::{self, Restarts};

#[derive(Parser)]
#[command(version, about)]
struct Args {
    #[command(flatten)]
    manager: runtime::Options,
    #[command(flatten)]
    logs: telemetry::LogOptions,
}
// ANCHOR_END: imports

// ANCHOR: main
// All passes share a thread, as they wait for the API server most of the time. If yours compute for
// long, `#[tokio::main]` alone has a thread for each processor.
#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let (name, args) = (env!("CARGO_PKG_NAME"), Args::parse());
    let _telemetry = telemetry::init(name, args.logs)?;
    let stop = runtime::stop_on_signal()?;
    let mut manager = Manager::new(name, args.manager, Config::infer().await?, stop)?;

    manager.add_with(Restarts::default(), web_app::controller());
    // +opctl:scaffold:controllers

    manager.run().await
}
// ANCHOR_END: main
