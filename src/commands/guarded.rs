//! `opctl __exec` and `opctl __guard`, with which opctl starts programs that end with their parent process.

use super::command::OpctlCommand;
use super::context::Context;
use crate::report::Report;
use crate::{Error, Result, system};
use clap::Args;
use std::ffi::OsString;

/// Replaces this opctl process with a program that is killed when `parent`, the process that started opctl, ends.
#[derive(Args, Debug)]
pub(crate) struct ExecArgs {
    parent: u32,
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    program: Vec<OsString>,
}

/// Runs a program, and kills the program and its children when `parent`, the process that started this opctl, ends.
#[derive(Args, Debug)]
pub(crate) struct GuardArgs {
    parent: u32,
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    program: Vec<OsString>,
}

impl OpctlCommand for ExecArgs {
    fn run(&self, _: &Context) -> Result<Report> {
        Err(cannot_run(&self.program, system::become_program(self.parent, &self.program[0], &self.program[1..])))
    }
}

impl OpctlCommand for GuardArgs {
    fn run(&self, _: &Context) -> Result<Report> {
        let status = system::guard(self.parent, &self.program[0], &self.program[1..]);
        let status = status.map_err(|error| cannot_run(&self.program, error))?;
        // The program has printed its own messages, and no report follows.
        std::process::exit(status.code().unwrap_or(1))
    }
}

fn cannot_run(program: &[OsString], error: std::io::Error) -> Error {
    Error::environment(format!("cannot run `{}`", program[0].display())).caused_by(error)
}
