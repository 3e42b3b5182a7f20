//! The names with which opctl renders the templates of policies.

use crate::model::{Origin, Project, Resource};
use serde::Serialize;

/// The names of a kind's policies, and the names that their rules use.
#[derive(Clone, Serialize)]
pub(in crate::scaffold) struct PolicyValues {
    /// The name of the validating policy.
    name: String,
    /// The name of the mutating policy.
    mutating_name: String,
    /// The annotation that the example rule uses.
    annotation: String,
    /// The label that enables the policies for kinds that the project does not define. Users set the label on a
    /// namespace or on a cluster-scoped object.
    label: String,
    /// True if users set the label in `label` on namespaces to enable the policies. The field `of_objects` is true if
    /// users set the label on the objects. Both fields are false for a kind that the project defines.
    of_namespaces: bool,
    of_objects: bool,
    /// The paths that a policy's test imports in addition to the imports of every such test, for example
    /// `kube::api::Patch` if the test sets a label on a namespace.
    imports: Vec<&'static str>,
    /// The user name of the deployed operator.
    operator: String,
}

impl PolicyValues {
    pub(in crate::scaffold) fn of(project: &Project, resource: &Resource) -> Self {
        let (key, domain) = (&resource.key, &project.domain);
        let group =
            if key.group.is_none() { String::new() } else { format!("{}-", key.group.as_str().replace('.', "-")) };
        let start = format!("{group}{}", key.kind.singular());
        let owner = match resource.origin {
            Origin::Own => resource.api_group(domain),
            Origin::Core(_) | Origin::External(_) => domain.to_string(),
        };
        let own = resource.origin == Origin::Own;
        let (of_namespaces, of_objects) = (!own && resource.namespaced, !own && !resource.namespaced);
        let project = &project.name;
        PolicyValues {
            name: format!("{start}-policy"),
            mutating_name: format!("{start}-mutating-policy"),
            annotation: format!("{owner}/created-by"),
            imports: imports(of_namespaces, matches!(resource.origin, Origin::External(_))),
            label: format!("{domain}/policies"),
            of_namespaces,
            of_objects,
            operator: format!("system:serviceaccount:{project}-system:{project}-controller-manager"),
        }
    }
}

impl PolicyValues {
    /// Returns the longest name among the policy objects in a cluster: the name of the mutating policy's binding.
    pub(in crate::scaffold) fn longest_name(&self, project: &Project) -> String {
        format!("{}-{}-binding", project.name, self.mutating_name)
    }
}

fn imports(of_namespaces: bool, external: bool) -> Vec<&'static str> {
    let labels = ["k8s_openapi::api::core::v1::Namespace", "kube::api::Patch", "kube::api::PatchParams"];
    let labels = labels.into_iter().filter(|_| of_namespaces);
    labels.chain(external.then_some("runtime::testing::define")).collect()
}
