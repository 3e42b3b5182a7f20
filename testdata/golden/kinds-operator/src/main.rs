use clap::Parser;
use kube::Config;

use kinds_operator::runtime::manager::Manager;
use kinds_operator::runtime::{manager, telemetry};

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

    kinds_operator::controller::parcel::setup(&mut manager);
    kinds_operator::controller::shop::setup(&mut manager);
    kinds_operator::controller::suite::setup(&mut manager);
    kinds_operator::controller::team::setup(&mut manager);
    kinds_operator::controller::parcel_labels::setup(&mut manager);
    kinds_operator::controller::apps::deployment::setup(&mut manager);
    kinds_operator::controller::networking::ingress_class::setup(&mut manager);
    kinds_operator::controller::core_::pod_reports::setup(&mut manager);
    // +opctl:scaffold:controllers

    manager.run().await
}
