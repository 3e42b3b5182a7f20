//! Reads `+opctl:rbac:` markers (controller-tools `pkg/rbac/parser.go`), and checks them by the API server's rules.

use crate::model::label_rule;
use crate::source::markers::{Argument, Marker, MarkerError, Printer, closest};
use std::fmt;

/// The name of the default role: markers without `roleName` add rights to it, and the scaffolded binding refers to it.
pub(super) const DEFAULT_ROLE: &str = "manager-role";

/// The rights that one `+opctl:rbac` marker grants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Grant {
    /// The API groups; `core` stands for the core group, whose name is empty.
    pub groups: Vec<String>,
    /// The resources and subresources.
    pub resources: Vec<String>,
    /// The names of the objects that the rights are limited to; empty for all objects.
    pub resource_names: Vec<String>,
    /// The paths of non-resource URLs, such as `/metrics`.
    pub urls: Vec<String>,
    pub verbs: Vec<String>,
    /// The value of the marker's `namespace` argument; empty if the marker has no such argument.
    pub namespace: String,
    /// The role's name; empty for the default role.
    pub role_name: String,
}

const ARGUMENTS: [&str; 7] = ["groups", "resources", "resourceNames", "verbs", "urls", "namespace", "roleName"];
const VERBS: [&str; 16] = [
    "get",
    "list",
    "watch",
    "create",
    "update",
    "patch",
    "delete",
    "deletecollection",
    "use",
    "bind",
    "escalate",
    "impersonate",
    "approve",
    "sign",
    "attest",
    "*",
];

impl Grant {
    /// Reads the grant from a marker. Fails if an argument is unknown or has an invalid value.
    pub(super) fn read(marker: &Marker<'_>) -> Result<Self, MarkerError> {
        let mut grant = Grant::default();
        let arguments = marker.arguments()?;
        for argument in &arguments {
            match argument.key.as_str() {
                "groups" => grant.groups = argument.list(),
                "resources" => grant.resources = argument.list(),
                "resourceNames" => grant.resource_names = argument.list(),
                "urls" => grant.urls = argument.list(),
                "verbs" => grant.verbs = argument.list(),
                "namespace" => argument.only_value()?.clone_into(&mut grant.namespace),
                "roleName" => argument.only_value()?.clone_into(&mut grant.role_name),
                _ => return Err(argument.unknown_key_error(&ARGUMENTS)),
            }
        }
        grant.check(&arguments, marker.column)?;
        Ok(grant)
    }

    /// Returns true if the marker adds rights to the default role, which the scaffolded binding gives to the manager.
    pub(super) fn is_of_the_default_role(&self) -> bool {
        self.namespace.is_empty() && !self.names_a_role()
    }

    /// Returns true if the marker names a role other than the default role; the user has to bind such a role.
    pub(crate) fn names_a_role(&self) -> bool {
        !["", DEFAULT_ROLE].contains(&self.role_name.as_str())
    }

    /// Fails if the API server would refuse the rule (`pkg/apis/rbac/validation`), or if a verb is misspelled.
    fn check(&self, arguments: &[Argument], marker_column: usize) -> Result<(), MarkerError> {
        let given = |key: &str| arguments.iter().find(|argument| argument.key == key);
        let wrong = |key: &str, message: &str, hint: &str| {
            let column = given(key).map_or(marker_column, |argument| argument.column);
            Err(MarkerError { column, message: message.to_owned(), hint: hint.to_owned() })
        };
        if given("verbs").is_none() {
            return wrong("", "missing argument `verbs`", "add for example `verbs=get;list;watch`");
        }
        if self.verbs.is_empty() {
            return wrong("verbs", "the marker grants no verb", "add for example `verbs=get;list;watch`");
        }
        if self.resources.is_empty() && self.urls.is_empty() {
            return wrong("resources", "the marker names no resource", "add `resources=..`, or `urls=..`");
        }
        if !self.resources.is_empty() && !self.urls.is_empty() {
            return wrong("urls", "a rule is either for resources or for URLs", "write two markers");
        }
        if !self.urls.is_empty() && !self.namespace.is_empty() {
            return wrong("namespace", "URLs have no namespace", "remove `namespace`");
        }
        if !self.resources.is_empty() && self.groups.is_empty() {
            let hint = "add `groups=..`; for pods, secrets and the like it is `groups=core`";
            return wrong("groups", "the marker names no API group", hint);
        }
        for argument in arguments {
            check_values(argument)?;
        }
        Ok(())
    }
}

fn check_values(argument: &Argument) -> Result<(), MarkerError> {
    for (value, _) in &argument.values {
        match argument.key.as_str() {
            "urls" if !value.starts_with('/') && value != "*" => {
                let message = format!("the URL `{value}` does not begin with `/`");
                let hint = "write the path of the URL, such as `/metrics`".to_owned();
                return Err(argument.wrong_value(value, message, hint));
            }
            "verbs" if !VERBS.contains(&value.as_str()) => {
                if let Some(meant) = closest(value, &VERBS) {
                    let message = format!("unknown verb `{value}`");
                    return Err(argument.wrong_value(value, message, format!("did you mean `{meant}`?")));
                }
            }
            "namespace" => {
                if let Some(rule) = label_rule(value) {
                    let message = format!("`{value}` is not a valid namespace: {rule}");
                    return Err(argument.wrong_value(
                        value,
                        message,
                        "name a namespace, such as `kube-system`".to_owned(),
                    ));
                }
            }
            // apimachinery `ValidatePathSegmentName`.
            "roleName" if [".", ".."].contains(&value.as_str()) || value.contains(['/', '%']) => {
                let message =
                    format!("`{value}` is not a valid role name: it must not be `.` or `..`, or contain `/` or `%`");
                return Err(argument.wrong_value(
                    value,
                    message,
                    "name the role after its purpose, such as `node-reader`".to_owned(),
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

impl fmt::Display for Grant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let marker = Printer::new("rbac")
            .list("groups", &self.groups)
            .list("resources", &self.resources)
            .list("resourceNames", &self.resource_names)
            .list("urls", &self.urls)
            .list("verbs", &self.verbs)
            .one("namespace", &self.namespace)
            .one("roleName", &self.role_name);
        formatter.write_str(&marker.text())
    }
}
