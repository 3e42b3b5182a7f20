// Copyright Example Inc.
// SPDX-License-Identifier: Apache-2.0

use clap::Parser;
use kube::Config;

use bare_operator::runtime::manager::Manager;
use bare_operator::runtime::{manager, telemetry};

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

    // +opctl:scaffold:controllers

    manager.run().await
}
