// Copyright Example Inc.
// SPDX-License-Identifier: Apache-2.0

use clap::Parser;
use kube::Client;
use std::net::SocketAddr;
use tracing_subscriber::{EnvFilter, filter::ParseError};

use bare_operator::runtime::{
    manager::{self, Manager},
    telemetry::{self, LogFormat},
};

#[derive(Parser)]
#[command(version, about)]
struct Args {
    /// Address that serves /healthz and /readyz
    #[arg(long, env, default_value = "0.0.0.0:8081")]
    health_probe_bind_address: SocketAddr,
    /// Format of the log lines
    #[arg(long, env, value_enum, default_value_t)]
    log_format: LogFormat,
    /// A level, or directives such as `info,kube=debug`
    #[arg(long, env = "RUST_LOG", default_value = "info", value_parser = log_filter)]
    log_level: EnvFilter,
}

// Left to itself, clap would take a conversion that drops what it cannot read.
fn log_filter(directives: &str) -> Result<EnvFilter, ParseError> {
    EnvFilter::try_new(directives)
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    telemetry::init(args.log_format, args.log_level);
    let stop = manager::stop_on_signal()?;
    let mut manager = Manager::new(Client::try_default().await?, stop);

    // +opctl:scaffold:controllers

    manager.run(args.health_probe_bind_address).await
}
