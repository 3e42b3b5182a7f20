//! The command line of opctl: parses the arguments, shows help and completions, and runs the command that the arguments
//! name.
//!
//! The table in `command_table` lists all commands; parsing, help, completion and dispatch read this table.

mod command_line;
mod command_table;
mod completion;
mod entry_point;
mod global;
mod groups;
mod help;
mod mcp;
mod misspelt;
mod panics;
mod usage;

pub use entry_point::main;
pub use global::{GlobalArgs, OutputFormat};
