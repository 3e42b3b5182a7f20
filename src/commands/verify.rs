//! `opctl manifests --verify`: checks the CRDs with a real API server.

use super::context::Context;
use crate::cluster::{Connection, Definition, Target, judge, read_definitions, run};
use crate::envtest::{ControlPlane, Options, Places, Programs, Store};
use crate::manifest::{Cause, Manifests, Verification, remember_judged};
use crate::report::{Console, Report};
use crate::{Error, Result};
use std::path::Path;
use std::time::Duration;

/// The time limit for the verification of all CRDs together.
const LIMIT: Duration = Duration::from_secs(300);

/// Submits the CRDs that no API server has accepted before to a local API server, and records the accepted CRDs.
/// Returns the manifests with the results, and a summary.
///
/// # Errors
/// Fails if this machine lacks the servers, or if the API server refuses a CRD; each error names its Rust field.
pub(super) fn verify(manifests: Manifests, context: &Context) -> Result<(Manifests, String)> {
    let count = manifests.definitions.len();
    let definitions = if count == 1 { "1 definition".to_owned() } else { format!("{count} definitions") };
    let unknown = manifests.unverified_definitions();
    if unknown.is_empty() {
        return Ok((manifests, format!("{definitions} verified before")));
    }
    if Programs::find(None, &Store::new(Places::of_this_process()?.store))?.is_none() {
        return Err(Error::environment("the servers that `--verify` needs are not installed on this machine")
            .hint("opctl envtest setup"));
    }
    let plane = ControlPlane::start(&Options::default(), &context.console)?;
    let spinner = context.console.spinner("Verifying", "the definitions");
    let target = Target { kubeconfig: Some(plane.kubeconfig_path()), ..Target::default() };
    let judgements = run(&target, LIMIT, async {
        let connection = Connection::open(&target, &context.console).await?;
        let mut judgements = Vec::new();
        for (name, object) in &unknown {
            spinner.set_message(name.clone());
            let definition = Definition::of(object.clone())?;
            let judgement = judge(&connection, &definition).await?;
            let refused = judgement.refused.into_iter().map(|(field, message)| Cause { field, message });
            judgements.push(Verification {
                name: name.clone(),
                refused: refused.collect(),
                warnings: judgement.warnings,
            });
        }
        Ok(judgements)
    })?;
    drop(spinner);
    let manifests = manifests.record_judgements(&judgements)?;
    Ok((manifests, format!("{definitions} verified by Kubernetes {}", plane.version())))
}

/// Records that an API server has accepted CRDs, including their validation rules. `report` is the report of `install`
/// or `deploy`, and lists the accepted CRDs.
pub(super) fn remember(report: &Report, root: &Path, console: &Console) {
    let is_listed = |definition: &Definition| {
        let path = format!("customresourcedefinition/{}", definition.name);
        report.changes.iter().any(|change| change.path == path)
    };
    let judged = read_definitions(root).and_then(|definitions| {
        let taken = definitions.into_iter().filter(is_listed);
        let taken = taken.map(|definition| serde_json::to_value(definition.object).unwrap_or_default());
        remember_judged(root, &taken.collect::<Vec<_>>())
    });
    if let Err(error) = judged {
        // The server has been asked, and has taken them: `opctl manifests` says once more that it does not know.
        console.detail(format_args!("cannot record that the API server has accepted the CRDs: {error}"));
    }
}
