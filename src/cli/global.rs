//! Options that every command has.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Options that every command has.
#[derive(Args, Debug)]
pub struct GlobalArgs {
    /// Work as if started in DIR
    #[arg(short = 'C', value_name = "DIR", global = true, help_heading = "Global options")]
    pub directory: Option<PathBuf>,
    /// Say nothing but warnings and errors
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "Global options")]
    pub quiet: bool,
    /// Say more
    #[arg(short, long, global = true, help_heading = "Global options")]
    pub verbose: bool,
    /// When to use colours; environment variables such as `NO_COLOR` are respected
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true, help_heading = "Global options")]
    pub color: Color,
    /// Print JSON on stdout instead of text: one document, or one document on each line; `sarif` prints the findings of
    /// `manifests`, `explore` and `bundle --check`
    #[arg(short, long, value_name = "FORMAT", global = true, help_heading = "Global options")]
    pub output: Option<OutputFormat>,
}

/// A machine-readable format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// One document with `apiVersion` and `kind`, errors included.
    Json,
    /// The findings in the Static Analysis Results Interchange Format, which code scanning reads.
    Sarif,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// Use colours only on a terminal.
    Auto,
    /// Always use colours.
    Always,
    /// Never use colours.
    Never,
}

impl From<Color> for anstream::ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
    }
}
