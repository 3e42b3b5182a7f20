//! Implements `opctl bench`, which measures the operator with many objects and forecasts its memory.

mod args;
mod command;
mod sizes;
mod subject;

pub(crate) use args::BenchArgs;
