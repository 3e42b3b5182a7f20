//! The arguments of `opctl manifests`.

use super::against;
use crate::commands::write::WriteArgs;
use clap::Args;

const EXAMPLES: &str = "Examples:
    opctl manifests
    # For CI, exit code 3 when the files are stale:
    opctl manifests --check
    # ... or when a change of a CRD breaks its users:
    opctl manifests --check --against origin/main
    # For code scanning, which shows findings at their lines:
    opctl manifests --check -o sarif > opctl.sarif
    # Ask a real API server on this machine about the CRDs:
    opctl manifests --verify
    # Warn about types and fields that an older Kubernetes lacks:
    opctl manifests --kubernetes 1.34
    # Without descriptions; stored in PROJECT:
    opctl manifests --max-description-length 0
    # With a header in every file; stored in PROJECT:
    opctl manifests --header-file hack/header.txt --header-year 2026
    # Schemas for editors, stored in PROJECT, and the line above a sample:
    opctl manifests --json-schema schemas
    # yaml-language-server: $schema=../../schemas/GROUP/KIND_VERSION.json";

/// Write CRDs, roles and webhooks from Rust types and markers
#[derive(Args, Debug, Default)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ManifestsArgs {
    /// Replace CRDs, roles and webhooks that were edited by hand: the edits are lost
    #[arg(long)]
    pub(super) force: bool,
    /// Write nothing; exit with code 3 and the diff when something would change
    #[arg(long, conflicts_with_all = ["dry_run", "diff"])]
    pub(super) check: bool,
    /// Let an API server on this machine check the CRDs, unless an API server has accepted the same CRDs before
    #[arg(long)]
    pub(super) verify: bool,
    /// Cut each description in the CRDs to N bytes, at the end of a sentence; 0 leaves them out
    #[arg(long, value_name = "N")]
    pub(super) max_description_length: Option<usize>,
    /// Put the text of this file above every written file, as comments; '' removes the text again
    #[arg(long, value_name = "FILE")]
    pub(super) header_file: Option<String>,
    /// Replace ` YEAR` in the header by this year; '' removes it
    #[arg(long, value_name = "YEAR")]
    pub(super) header_year: Option<String>,
    /// Write JSON schemas of each kind and version into this folder, for editors and kubeconform; '' removes them again
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub(super) json_schema: Option<String>,
    /// Warn of Kubernetes types and fields that the code uses but this Kubernetes version, such as 1.34, lacks
    #[arg(long, value_name = "VERSION")]
    pub(super) kubernetes: Option<String>,
    #[command(flatten)]
    pub(super) against: against::AgainstArgs,
    #[command(flatten)]
    pub(super) write: WriteArgs,
}
