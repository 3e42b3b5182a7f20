//! The names that the templates of policies need.

use crate::model::{Origin, Project, Resource};
use serde::Serialize;

/// The names of a kind's policies, and the names in their rules.
#[derive(Clone, Serialize)]
pub(in crate::scaffold) struct PolicyValues {
    /// The name of the validating policy.
    name: String,
    /// The name of the mutating policy.
    mutating_name: String,
    /// The annotation of the example.
    annotation: String,
    /// The label with which namespaces, or objects outside of namespaces, request policies of kinds that the project
    /// does not define.
    label: String,
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
        let project = &project.name;
        PolicyValues {
            name: format!("{start}-policy"),
            mutating_name: format!("{start}-mutating-policy"),
            annotation: format!("{owner}/created-by"),
            label: format!("{domain}/policies"),
            operator: format!("system:serviceaccount:{project}-system:{project}-controller-manager"),
        }
    }
}
