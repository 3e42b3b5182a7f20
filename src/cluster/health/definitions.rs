//! Compares the project's CRDs with those in the cluster.

use crate::Result;
use crate::cluster::status::{Drift, drift};
use crate::cluster::{Connection, Definition};
use crate::report::Check;
use futures_util::future::join_all;

/// Returns a check for each CRD that is missing or different in the cluster; one check if all CRDs agree.
pub(super) async fn drifts(connection: &Connection, definitions: &[Definition]) -> Vec<Check> {
    let install = || connection.target.opctl("install");
    let judge = |definition: &Definition, found: Result<Drift>| {
        let name = &definition.name;
        match found {
            Ok(Drift::None) => None,
            Ok(Drift::Missing) => Some(Check::warning("CRDs", format!("`{name}` is not installed"), install())),
            Ok(Drift::Differs) => {
                Some(Check::warning("CRDs", format!("`{name}` differs from `config/crd`"), install()))
            }
            Err(error) => Some(Check::warning(
                "CRDs",
                format!("`{name}` cannot be read: {}", error.message()),
                error.hint_or_none(),
            )),
        }
    };
    let found = join_all(definitions.iter().map(|definition| drift(connection, definition))).await;
    let checks: Vec<Check> =
        definitions.iter().zip(found).filter_map(|(definition, found)| judge(definition, found)).collect();
    if checks.is_empty() && !definitions.is_empty() {
        return vec![Check::ok("CRDs", "installed, as in `config/crd`")];
    }
    checks
}
