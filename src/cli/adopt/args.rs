//! The arguments of `opctl adopt`.

use crate::cli::command::BOOL;
use crate::cli::write::WriteArgs;
use clap::{ArgAction, Args};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
    # At the root of an operator's repository:
    opctl adopt --dry-run
    opctl adopt
    opctl manifests && opctl install
    # Which packages have the types, and which program is the operator:
    opctl adopt --package my-api,other-api --features crd --bin my-operator
    # A new project with Rust types for the CRDs of an operator in Go:
    opctl adopt --crds ../go-operator/config my-operator";

/// Take in a kube-rs operator that was written without opctl
///
/// Reads the types that derive `CustomResource` and the requests of the code. Writes `PROJECT`, `config/` and opctl's own
/// records, and no Rust file; existing files stay as they are. From then on `opctl manifests`, `install`, `run`, `test`,
/// `explore`, `deploy` and the others work on the operator. Run it again when a kind is added: see `opctl help adopting`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct AdoptArgs {
    /// The folder of the new project, made where it does not exist [default: the current one]
    #[arg(requires = "crds")]
    pub(super) dir: Option<PathBuf>,
    /// Make a new project instead, with Rust types for the CRDs in this file or folder. Its objects of these kinds become
    /// samples. The CRDs of the types are compared with the given ones
    #[arg(long, value_name = "PATH", conflicts_with_all = ["package", "bin", "features"], value_hint = clap::ValueHint::AnyPath)]
    pub(super) crds: Option<PathBuf>,
    /// Compile the new types, write their CRDs, and compare those
    #[arg(long, requires = "crds", default_value_t = true, action = ArgAction::Set, value_name = BOOL)]
    pub(super) manifests: bool,
    /// The domain that ends the groups of the kinds [default: what they have in common]
    #[arg(long)]
    pub(super) domain: Option<String>,
    /// The project's name, in names of its objects [default: that of the operator's package, made valid]
    #[arg(long, visible_alias = "project-name")]
    pub(super) name: Option<String>,
    /// Take the kinds of these packages only, now and in later runs [default: all packages that define kinds]
    #[arg(long, value_delimiter = ',')]
    pub(super) package: Vec<String>,
    /// The program that is the operator, where there are several
    #[arg(long, value_name = "NAME")]
    pub(super) bin: Option<String>,
    /// Features that the types need besides the default ones; each goes to the packages that have it
    #[arg(long, value_name = "FEATURE", value_delimiter = ',')]
    pub(super) features: Vec<String>,
    #[command(flatten)]
    pub(super) write: WriteArgs,
}
