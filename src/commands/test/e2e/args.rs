//! The flags of `opctl test --e2e`.

use crate::commands::install::TargetArgs;
use crate::commands::remote::RemoteArgs;
use crate::commands::time_limit::time_limit;
use crate::{Error, Result};
use clap::{Args, ValueEnum};
use std::time::Duration;

/// The flags of `opctl test --e2e`, which tests the deployed operator.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "The deployed operator, with `--e2e`")]
pub(in crate::commands::test) struct EndToEndArgs {
    /// Test the operator's image in a cluster: build it, deploy `config/default`, check it, run `tests/e2e`, undeploy
    ///
    /// Checks that the operator runs, that the objects of `config/samples` become ready, that an update loses nothing,
    /// that only clients with the right can read metrics, that webhooks answer, and that nothing is left at the end.
    #[arg(long, conflicts_with_all = ["kubernetes", "simulate_nodes"])]
    pub(super) e2e: bool,
    /// The cluster of the tests [default: node]
    #[arg(
        long,
        value_enum,
        value_name = "CLUSTER",
        requires = "e2e",
        default_value = "node",
        hide_default_value = true
    )]
    pub(super) on: On,
    /// Test this image instead of a new one: a name, or an archive as `docker save` writes it
    #[arg(long, value_name = "IMAGE", requires = "e2e")]
    pub(super) image: Option<String>,
    /// Deploy the operator with this image or archive first, then update the operator to the tested image [default: the
    /// tested image]
    #[arg(long, value_name = "IMAGE", requires = "e2e")]
    pub(super) from: Option<String>,
    /// Also load this image, such as an image for pods that the operator creates; may be repeated
    #[arg(long, value_name = "IMAGE", requires = "e2e")]
    pub(super) load: Vec<String>,
    /// The name of the kind cluster [default: kind]
    #[arg(long, value_name = "NAME", requires = "e2e")]
    pub(super) cluster: Option<String>,
    #[command(flatten)]
    pub(super) target: TargetArgs,
    /// Wait this long for each step, such as `20s` or `5m`
    #[arg(long, value_name = "TIME", requires = "e2e", default_value = "2m", value_parser = time_limit)]
    pub(super) timeout: Duration,
    #[command(flatten)]
    pub(super) remote: RemoteArgs,
}

impl EndToEndArgs {
    /// Returns true if `--e2e` is given.
    pub(in crate::commands::test) fn are_asked_for(&self) -> bool {
        self.e2e
    }

    /// Fails if a flag such as `--context` chooses a cluster. opctl calls this function for tests without `--e2e`,
    /// because these tests run on a separate control plane.
    pub(in crate::commands::test) fn check_absent(&self) -> Result<()> {
        let TargetArgs { kubeconfig, context, user, groups: _ } = &self.target;
        if kubeconfig.is_none() && context.is_none() && user.is_none() {
            return Ok(());
        }
        Err(Error::usage("without `--e2e`, tests run on a temporary local control plane")
            .caused_by(
                "`--kubeconfig`, `--context` and `--as` choose an existing cluster, which only tests with \
                        `--e2e` use",
            )
            .hint("opctl test"))
    }
}

/// The values of `--on`, which chooses the cluster of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum On {
    /// A real node on this machine that runs only during the tests; needs Linux and root
    Node,
    /// A kind cluster that is already running
    Kind,
    /// The cluster of the current context, or of `--context`
    Current,
}

impl On {
    pub(super) fn name(self) -> &'static str {
        match self {
            On::Node => "node",
            On::Kind => "kind",
            On::Current => "current",
        }
    }
}
