// Copyright Example Inc.
// SPDX-License-Identifier: Apache-2.0

//! Logs, on stdout.
use clap::ValueEnum;
use std::io::{IsTerminal, stdout};
use tracing_subscriber::EnvFilter;

#[derive(Clone, Copy, Default, ValueEnum)]
pub enum LogFormat {
    #[default]
    Text,
    Json,
}

/// Call it once, before anything is logged.
pub fn init(format: LogFormat, filter: EnvFilter) {
    let logs = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(stdout().is_terminal());
    match format {
        LogFormat::Text => logs.init(),
        LogFormat::Json => logs
            .json()
            .flatten_event(true)
            .with_current_span(false)
            .init(),
    }
}
