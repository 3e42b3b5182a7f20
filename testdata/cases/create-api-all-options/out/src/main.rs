use clap::Parser;
use kube::Config;
use runtime::{Manager, telemetry};

#[derive(Parser)]
#[command(version, about)]
struct Args {
    #[command(flatten)]
    manager: runtime::Options,
    #[command(flatten)]
    logs: telemetry::LogOptions,
}

// All passes share a thread, as they wait for the API server most of the time. If yours compute for
// long, `#[tokio::main]` alone has a thread for each processor.
#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let name = env!("CARGO_PKG_NAME");
    let _telemetry = telemetry::init(name, args.logs)?;
    let stop = runtime::stop_on_signal()?;
    let mut manager = Manager::new(name, args.manager, Config::infer().await?, stop)?;

    manager.add(webserver_operator::controller::apps::tenant::controller());
    // +opctl:scaffold:controllers

    manager.run().await
}
