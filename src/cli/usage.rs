//! Errors in the command line, which clap finds.

use super::misspelt;
use crate::Error;
use crate::error::Hint;
use crate::report::{Console, Verbosity};
use std::ffi::OsString;
use std::process::ExitCode;

/// Prints clap's message about a command line. If the message is an error and the command line asks for JSON, prints
/// the message as a JSON report. Returns the exit code.
pub(super) fn usage(mut error: clap::Error, command: &clap::Command) -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    misspelt::set_tip(&mut error, &arguments, command);
    let json = arguments.windows(2).any(|pair| (pair[0] == "-o" || pair[0] == "--output") && pair[1] == "json")
        || arguments.iter().any(|argument| argument == "-ojson" || argument == "--output=json");
    if error.use_stderr() && json {
        let text = error.render().to_string();
        // clap names missing or allowed arguments below the first line, and ends with advice.
        let lines: Vec<&str> = text
            .lines()
            .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
            .map(str::trim)
            .collect();
        let (tips, message): (Vec<&str>, Vec<&str>) = lines.iter().partition(|line| line.starts_with("tip: "));
        let message = message.join(" ").split(" [subcommands:").next().unwrap_or_default().trim().to_owned();
        let message = message.trim_start_matches("error: ");
        let tip = tips.first().map(|tip| Hint::snippet(tip.trim_start_matches("tip: ")));
        let hint = tip.unwrap_or_else(|| "opctl --help".into());
        let named = |name: &&str| command.find_subcommand(name).is_some();
        let name = arguments.iter().skip(1).filter_map(|argument| argument.to_str()).find(named).unwrap_or_default();
        let error = Error::usage(message).hint(hint);
        Console::new(Verbosity::Quiet, anstream::ColorChoice::Never, true).error(name, &error);
    } else if error.use_stderr() {
        // clap repeats the arguments, which a shell may have taken from the names of files.
        let console = Console::new(Verbosity::Quiet, anstream::ColorChoice::Auto, false);
        console.print_colored(&error.render().ansi().to_string());
    } else if let Err(lost) = error.print()
        && lost.kind() != std::io::ErrorKind::BrokenPipe
    {
        let error = Error::environment("cannot write to stdout").caused_by(lost);
        Console::new(Verbosity::Quiet, anstream::ColorChoice::Auto, false).error("", &error);
        return ExitCode::from(error.category().exit_code());
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}
