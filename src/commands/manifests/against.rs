//! Reads the older CRDs with which `opctl manifests --against` compares the current CRDs: from a git reference, from a
//! file or folder, or from the cluster.

use crate::cluster::{self, Target};
use crate::commands::context::Context;
use crate::commands::write::read_ledger;
use crate::error::{file_error, hint};
use crate::finding::Severity;
use crate::manifest::{DEFINITIONS, Manifests, Older, Options};
use crate::reading::{self, Limit};
use crate::workspace::Workspace;
use crate::{Error, Result, exec, yaml};
use clap::Args;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The flags that choose the older CRDs, with which `opctl manifests` compares the current CRDs.
#[derive(Args, Debug, Default)]
pub(super) struct AgainstArgs {
    /// Compare the CRDs with older CRDs at a git reference, in a file or folder, or in the `cluster`; if a change
    /// breaks users of the CRDs, write nothing and exit with code 3
    #[arg(long, value_name = "REF|FILE|cluster")]
    against: Option<String>,
    /// Use this kubeconfig for `--against cluster` [default: $KUBECONFIG, or ~/.kube/config]
    #[arg(long, value_name = "FILE", requires = "against")]
    kubeconfig: Option<PathBuf>,
    /// Use this context of the kubeconfig [default: the current context]
    #[arg(long, value_name = "NAME", requires = "against")]
    context: Option<String>,
}

impl AgainstArgs {
    /// Returns the older CRDs that `--against` names; `None` without `--against`.
    pub(super) fn older(&self, workspace: &Workspace, context: &Context) -> Result<Option<Older>> {
        let Some(name) = &self.against else { return Ok(None) };
        let path = context.directory.join(name);
        let definitions = if name == "cluster" {
            self.in_cluster(context)?
        } else if path.exists() {
            in_files(&path, name)?
        } else {
            at_reference(workspace.root(), name)?
        };
        if definitions.is_empty() {
            context.console.warning(format!("`{name}` has no CRD, so there is nothing to compare with"));
        }
        let beside = handwritten_definitions(workspace)?;
        Ok(Some(Older { name: name.clone(), definitions, beside, complete: name != "cluster" }))
    }

    fn in_cluster(&self, context: &Context) -> Result<Vec<(PathBuf, Value)>> {
        let target = Target { kubeconfig: self.kubeconfig.clone(), context: self.context.clone(), ..Target::default() };
        let live = cluster::live_definitions(&target, Duration::from_secs(60), &context.console)?;
        Ok(live.into_iter().map(|definition| (PathBuf::new(), definition)).collect())
    }
}

/// Returns the error that changes of the CRDs break users; `None` if there are no such changes, or without `--against`.
pub(super) fn refusal(manifests: &Manifests, options: &Options) -> Option<Error> {
    let name = &options.against.as_ref()?.name;
    let breaks = |severity| severity == Severity::Error;
    let breaking: Vec<_> = manifests.findings.iter().filter(|finding| breaks(finding.severity)).collect();
    let first = breaking.first()?;
    let number =
        if breaking.len() == 1 { "a change breaks".to_owned() } else { format!("{} changes break", breaking.len()) };
    let error = Error::conflict(format!("{number} compatibility with `{name}`, and nothing was written"));
    Some(error.hint(hint!(
        "opctl explain {}    # explains the first breaking change; if no client uses the API yet, \
                           omit `--against`",
        first.code
    )))
}

fn in_files(path: &Path, name: &str) -> Result<Vec<(PathBuf, Value)>> {
    let mut files = vec![path.to_owned()];
    if path.is_dir() {
        let entries = fs::read_dir(path).map_err(|error| file_error("read", path, &error))?;
        files = entries.flatten().map(|entry| entry.path()).filter(|file| yaml::is_yaml(file)).collect();
        files.sort();
    }
    let mut definitions = Vec::new();
    for file in files {
        let (shown, text) = if path.is_dir() {
            (file.as_path(), reading::text(&file, Limit::Bundle))
        } else {
            (Path::new(name), reading::read_user_file(&file, Limit::Bundle))
        };
        let text = text.map_err(|error| file_error("read", &file, &error))?;
        definitions.extend(Older::read(shown, &text)?);
    }
    if definitions.is_empty() {
        return Err(Error::user(format!("`{name}` holds no CustomResourceDefinition"))
            .hint("opctl manifests --against config/crd/bases    # or a git reference: --against refs/heads/main"));
    }
    Ok(definitions)
}

fn at_reference(root: &Path, name: &str) -> Result<Vec<(PathBuf, Value)>> {
    let mut definitions = Vec::new();
    for (path, text) in exec::files_at(root, name, DEFINITIONS.trim_end_matches('/'))? {
        definitions.extend(Older::read(Path::new(&path), &text)?);
    }
    Ok(definitions)
}

/// Returns the CRDs that were written by hand into the folder of the generated CRDs.
fn handwritten_definitions(workspace: &Workspace) -> Result<Vec<(PathBuf, Value)>> {
    let ledger = read_ledger(workspace)?;
    let mut definitions = Vec::new();
    for entry in fs::read_dir(workspace.root().join(DEFINITIONS)).into_iter().flatten().flatten() {
        let path = format!("{DEFINITIONS}{}", entry.file_name().to_string_lossy());
        if !ledger.files.contains_key(path.as_str())
            && let Ok(text) = reading::text(entry.path(), Limit::Source)
        {
            definitions.extend(Older::read(Path::new(&path), &text)?);
        }
    }
    Ok(definitions)
}
