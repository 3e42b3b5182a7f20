use clap::Parser;
use kube::Config;

use webwriter_operator::runtime::manager::Manager;
use webwriter_operator::runtime::{manager, telemetry};

#[derive(Parser)]
#[command(version, about)]
struct Args {
    #[command(flatten)]
    manager: manager::Options,
    #[command(flatten)]
    logs: telemetry::LogOptions,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let _telemetry = telemetry::init(args.logs)?;
    let stop = manager::stop_on_signal()?;
    let mut manager = Manager::new(args.manager, Config::infer().await?, stop)?;

    webwriter_operator::controller::web_server::setup(&mut manager);
    // +opctl:scaffold:controllers

    manager.run().await
}
