// Copyright Example Authors
// SPDX-License-Identifier: MIT

use clap::Parser;
use kube::Config;

use platform_operator::runtime::manager::Manager;
use platform_operator::runtime::{manager, telemetry};

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

    platform_operator::controller::apps::database::setup(&mut manager);
    platform_operator::controller::cache::database::setup(&mut manager);
    platform_operator::controller::dns::dns_zone::setup(&mut manager);
    platform_operator::controller::core_::config::setup(&mut manager);
    platform_operator::controller::tenant::setup(&mut manager);
    // +opctl:scaffold:controllers

    manager.run().await
}
