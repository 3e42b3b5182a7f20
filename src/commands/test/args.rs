//! The arguments of `opctl test`.

use super::e2e::EndToEndArgs;
use crate::commands::steps::SimulationArgs;
use clap::Args;
use std::ffi::OsString;

const EXAMPLES: &str = "\
Examples:
    opctl test
    opctl test web_server              # tests with this in their names
    opctl test -p api --release        # flags of cargo
    opctl test -- --nocapture          # flags of the tests
    opctl test --keep-running          # and look at what they left
    opctl test --kubernetes 1.34,1.36  # on each of these versions
    opctl test --e2e                   # the operator's image, on a node
    opctl test --e2e --on kind --image web-operator:1";

/// Run the tests against a separate API server on this machine
///
/// Generates the manifests, starts a control plane with simulated nodes, installs the CRDs, the policies of
/// `config/policy` and the roles of `config/rbac`, and runs `cargo test` with the tests that are
/// `#[ignore = "opctl test"]`. After the tests, replays the fault plans of `tests/explore.toml`: see
/// `opctl explore --help`.
///
/// Tests find the API server by two kubeconfigs, whose paths are in variables: `OPCTL_TEST_KUBECONFIG` for the
/// administrator, `OPCTL_TEST_OPERATOR_KUBECONFIG` with exactly the rights of the generated roles. Tests cannot reach
/// your own kubeconfig.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TestArgs {
    /// Keep the API server until Ctrl+C; with `--e2e`, leave the operator in the cluster
    #[arg(long)]
    pub(super) keep_running: bool,
    /// Run the tests on each of these versions of Kubernetes, in the format of `opctl envtest setup` [default: the
    /// installed version]
    #[arg(long, value_name = "VERSION", value_delimiter = ',')]
    pub(super) kubernetes: Vec<String>,
    #[command(flatten)]
    pub(super) simulation: SimulationArgs,
    #[command(flatten)]
    pub(super) end_to_end: EndToEndArgs,
    /// Arguments for `cargo test`; flags of opctl come before these arguments
    #[arg(value_name = "CARGO", allow_hyphen_values = true)]
    pub(super) cargo: Vec<OsString>,
    /// Arguments that `cargo test` passes to the test programs
    #[arg(last = true, value_name = "TESTS", allow_hyphen_values = true)]
    pub(super) tests: Vec<OsString>,
}

impl TestArgs {
    /// Returns the arguments of cargo, and the arguments of the tests. If an argument of cargo precedes the `--`, clap
    /// stores the `--` and all arguments after it in `cargo`, so this function splits `cargo` at the first `--`.
    pub(super) fn split(&self) -> (&[OsString], Vec<&OsString>) {
        let mut parts = self.cargo.splitn(2, |argument| argument == "--");
        let cargo = parts.next().unwrap_or_default();
        (cargo, parts.next().unwrap_or_default().iter().chain(&self.tests).collect())
    }
}
