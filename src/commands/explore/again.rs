//! Builds the command line that explores the same operator again. Hints add further flags to this command line.

use super::args::ExploreArgs;
use crate::error::{Hint, hint};

/// Returns the command line that explores the same operator again, with the same samples and number of parallel runs.
pub(super) fn repeat_command(args: &ExploreArgs) -> Hint {
    let mut line = Hint::from("opctl explore");
    line.push(args.foreign.line());
    line.push(flags(args));
    if !args.kind.is_empty() {
        line.push(hint!(" --kind {}", args.kind.join(",")));
    }
    if let Some(jobs) = args.jobs {
        line.push(hint!(" --jobs {jobs}", jobs));
    }
    line
}

/// Returns the flags of `opctl explore` that name the operator's old versions, from which an upgrade is tested; hints
/// add the flags to a command line.
fn flags(args: &ExploreArgs) -> Hint {
    let from = &args.from;
    let mut line = Hint::from("");
    if !from.from.is_empty() {
        line.push(hint!(" --from {references}", references = from.from.join(",")));
    }
    for command in &from.from_command {
        line.push(hint!(" --from-command {command}", command));
    }
    let samples = from.from_samples.as_slice();
    for (flag, folders) in
        [(" --from-crds ", &from.from_crds[..]), (" --from-roles ", &from.from_roles), (" --from-samples ", samples)]
    {
        for folder in folders {
            line.push(Hint::from(flag));
            line.push(hint!("{folder}", folder = folder.display()));
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Args, FromArgMatches};

    fn line(arguments: &[&str]) -> String {
        let command = ExploreArgs::augment_args(clap::Command::new("explore"));
        let matches = command.try_get_matches_from([&["explore"], arguments].concat()).unwrap();
        repeat_command(&ExploreArgs::from_arg_matches(&matches).unwrap()).as_str().to_owned()
    }

    #[test]
    fn the_line_names_the_same_operator() {
        assert_eq!(line(&[]), "opctl explore");
        assert_eq!(line(&["--kind", "Web,Shop", "--jobs", "1", "--all"]), "opctl explore --kind Web,Shop --jobs 1");
        assert_eq!(
            line(&["--command", "cd x && FOO='a b' ./run", "--crds", "my crds", "--roles", "rbac"]),
            "opctl explore --command 'cd x && FOO='\\''a b'\\'' ./run' --crds 'my crds' --samples config/samples --roles rbac"
        );
        assert_eq!(line(&["--from", "v1.1.0,v1.2.0"]), "opctl explore --from v1.1.0,v1.2.0");
        let chain = ["--from-command", "./one", "--from-crds", "1", "--from-command", "./two", "--from-crds", "2"];
        assert_eq!(
            line(&[&chain[..], &["--from-samples", "cr"]].concat()),
            "opctl explore --from-command ./one --from-command ./two --from-crds 1 --from-crds 2 --from-samples cr"
        );
    }
}
