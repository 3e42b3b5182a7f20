//! Checks that a cluster contains no object of the operator before the tests begin.

use super::place::Place;
use super::ready_samples::no_sample_is_there;
use crate::cluster::deploy::deploy;
use crate::cluster::{DeployOptions, rendered_objects};
use crate::error::hint;
use crate::report::Console;
use crate::{Error, Result};
use serde_json::Value;

/// The maximum number of objects that an error names.
const NAMED: usize = 3;

/// Fails if the cluster has a sample, or an object that the operator's deployment would create. Returns the objects
/// that `config/default` renders.
///
/// # Errors
/// Fails if such an object exists, if the manifests cannot be rendered, or if the server refuses a request.
pub fn nothing_is_there(place: &Place, console: &Console) -> Result<Vec<Value>> {
    let target = &place.target;
    let options = DeployOptions {
        target: target.clone(),
        timeout: place.timeout,
        remote: place.remote,
        image: Some(place.image.to_owned()),
        force_conflicts: false,
        dry_run: true,
        diff: false,
        wait: false,
    };
    let report = deploy(place.project, place.root, &options, console)?;
    let there: Vec<&str> =
        report.changes.iter().filter(|change| change.action != "create").map(|change| change.path.as_str()).collect();
    if there.is_empty() {
        let objects = rendered_objects(place.root, Some(place.image), "deploy", target, place.remote)?;
        no_sample_is_there(place, &objects, console)?;
        return Ok(objects);
    }
    let error = Error::conflict(format!("the cluster already contains {} objects of the operator", there.len()));
    let error = there.iter().take(NAMED).fold(error, |error, path| error.caused_by(format!("`{path}` is there")));
    let line = target.opctl("undeploy");
    Err(error.hint(hint!("{line}    # if nothing needs these objects", line)))
}
