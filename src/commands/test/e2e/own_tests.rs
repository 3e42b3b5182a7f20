//! The project's own tests of the deployed operator.

use super::cluster::Cluster;
use crate::cluster::{Target, deployed_namespace, merged_kubeconfig};
use crate::commands::context::Context;
use crate::commands::test::args::TestArgs;
use crate::commands::test::cargo::{ADMINISTRATOR, command_text, in_foreground};
use crate::error::file_error;
use crate::exec::{TemporaryFolder, cargo};
use crate::{Error, Result, system};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The environment variable with the namespace of the operator.
const NAMESPACE: &str = "OPCTL_TEST_NAMESPACE";

/// Returns true if the project has tests of the deployed operator.
pub(super) fn are_there(root: &Path) -> bool {
    ["tests/e2e/main.rs", "tests/e2e.rs"].iter().any(|path| root.join(path).is_file())
}

/// Runs the tests of `tests/e2e` with the kubeconfig of the cluster.
pub(super) fn run(args: &TestArgs, root: &Path, cluster: &Cluster, context: &Context) -> Result<()> {
    let folder = TemporaryFolder::new("e2e")?;
    let kubeconfig = kubeconfig(&cluster.target(), folder.path())?;
    let mut command = cargo_test(args, root);
    context.console.command(&command_text(&command));
    command.env(ADMINISTRATOR, &kubeconfig).env("KUBECONFIG", &kubeconfig);
    command.env(NAMESPACE, deployed_namespace(root)?);
    let status = in_foreground(&mut command, "opctl test --e2e", context)?;
    if status.success() {
        return Ok(());
    }
    Err(Error::user("tests of `tests/e2e` failed")
        .caused_by(format!("`cargo test` ended with {status}; the reason is printed above")))
}

fn cargo_test(args: &TestArgs, root: &Path) -> Command {
    let (cargo_arguments, tests) = args.split();
    let mut command = cargo(root);
    command.args(["test", "--test", "e2e"]).args(cargo_arguments).arg("--");
    if !tests.iter().any(|argument| *argument == "--ignored" || *argument == "--include-ignored") {
        command.arg("--include-ignored");
    }
    command.args(tests).stdin(Stdio::null());
    command
}

/// Writes a kubeconfig whose current context is the context of the cluster, and returns its path.
fn kubeconfig(target: &Target, folder: &Path) -> Result<PathBuf> {
    let path = folder.join("kubeconfig");
    let kubeconfig = merged_kubeconfig(target)?;
    let text = serde_json::to_string(&kubeconfig)
        .map_err(|error| Error::bug("cannot convert a kubeconfig to JSON").source(&error))?;
    system::write_private_file(&path, &text).map_err(|error| file_error("write", &path, &error))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::test::tests::parsed;

    #[test]
    fn arguments_reach_cargo_and_the_tests() {
        for (line, expected) in [
            ("--e2e", "cargo test --test e2e -- --include-ignored"),
            ("--e2e --on kind web --release", "cargo test --test e2e web --release -- --include-ignored"),
            ("--e2e -- --nocapture", "cargo test --test e2e -- --include-ignored --nocapture"),
            ("--e2e -- --ignored a", "cargo test --test e2e -- --ignored a"),
        ] {
            assert_eq!(command_text(&cargo_test(&parsed(line), Path::new("."))), expected, "{line}");
        }
    }
}
