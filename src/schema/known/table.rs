//! The keywords of Kubernetes' own types that controller-gen writes and k8s-openapi lacks: list and map types,
//! defaults, limits.
//!
//! The Go program in testdata/manifest/kubernetes-types generates `table.txt` from Kubernetes 1.37. Compared with the
//! tables of 1.33 to 1.36, types and properties were added and none changed, except for the list keys in the status of
//! two types. So this table serves all versions; keywords for types and properties that an older version lacks are not
//! added. The table does not contain validation rules such as `self == oldSelf`, which 1.37 has for some kinds: these
//! rules apply to objects of these kinds in the cluster, but not to a part of a custom resource that has the same type,
//! such as a template.

use std::collections::HashMap;
use std::sync::OnceLock;

static TEXT: &str = include_str!("table.txt");

/// Returns the properties of a definition in the table, each with its keywords; `.` is the definition itself.
pub(super) fn lines(definition: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    static BLOCKS: OnceLock<HashMap<&str, &str>> = OnceLock::new();
    let blocks = BLOCKS.get_or_init(|| {
        let blocks = TEXT.split("\nio.k8s.").skip(1);
        blocks.filter_map(|block| block.split_once('\n')).collect()
    });
    let block = definition.strip_prefix("io.k8s.").and_then(|name| blocks.get(name)).copied().unwrap_or_default();
    block.lines().filter_map(|line| line.trim_start().split_once(' '))
}
