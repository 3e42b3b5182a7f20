//! The arguments of `opctl adopt`.

use crate::commands::command::BOOL;
use crate::commands::write::WriteArgs;
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

/// Adopt a kube-rs operator that was written without opctl
///
/// Reads the types that derive `CustomResource` and the API requests in the code. Writes `PROJECT`, `config/` and
/// opctl's records in `.opctl/`, but no Rust file; existing files stay as they are. Then `opctl manifests`, `install`,
/// `run`, `test`, `explore`, `deploy` and other commands work on the operator. Run `opctl adopt` again after adding
/// a kind: see `opctl help adopting`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AdoptArgs {
    /// With `--crds`, the folder of the new project, created if missing [default: the current folder]
    #[arg(requires = "crds")]
    pub(super) dir: Option<PathBuf>,
    /// Create a new project instead, with Rust types for the CRDs in this file or folder. Objects of these kinds become
    /// samples. The CRDs generated from the types are compared with the given CRDs
    #[arg(long, value_name = "PATH", conflicts_with_all = ["package", "bin", "features"], value_hint = clap::ValueHint::AnyPath)]
    pub(super) crds: Option<PathBuf>,
    /// With `--crds`, compile the new project's types, write their CRDs, and compare these CRDs with the imported CRDs
    #[arg(long, requires = "crds", default_value_t = true, action = ArgAction::Set, value_name = BOOL)]
    pub(super) manifests: bool,
    /// The domain in which the groups of the kinds end [default: the groups' common domain]
    #[arg(long)]
    pub(super) domain: Option<String>,
    /// The project's name, part of the names of its objects [default: the name of the operator's package, or with
    /// `--crds` the name of the folder, made valid]
    #[arg(long, visible_alias = "project-name")]
    pub(super) name: Option<String>,
    /// Use only the kinds of these packages, now and in later runs [default: all packages that define kinds]
    #[arg(long, value_delimiter = ',')]
    pub(super) package: Vec<String>,
    /// The program that is the operator, if the workspace has several programs
    #[arg(long, value_name = "NAME")]
    pub(super) bin: Option<String>,
    /// Features that the types need besides the default features; each feature is enabled in the packages that have it
    #[arg(long, value_name = "FEATURE", value_delimiter = ',')]
    pub(super) features: Vec<String>,
    #[command(flatten)]
    pub(super) write: WriteArgs,
}
