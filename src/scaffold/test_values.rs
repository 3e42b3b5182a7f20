//! Template values for the tests that need an API server: the objects that a test creates, and the parts of a test.

use super::controlled::ControllerOfKind;
use super::sample_objects;
use serde::Serialize;

/// The Rust expressions in tests for the objects that the tests create.
#[derive(Clone, Serialize)]
pub(super) struct TestObjectValues {
    /// The text after `Api::` in the Rust expression that creates the `Api` of the tested kind, such as
    /// `all(operator.client.clone())`. A test that runs the operator uses `by_operator`; a test that does not run the
    /// operator uses `by_client`.
    by_operator: &'static str,
    by_client: &'static str,
    /// The Rust expression for the object's name, such as `"sample"`, in the test of a controller that reports a
    /// status. The tests of other controllers use the field `watched_name` instead, and the tests of policies use the
    /// field `policy_name`. Unlike `own_name`, the fields `watched_name` and `policy_name` also include the semicolon
    /// that ends the statement and, if needed, a comment.
    own_name: &'static str,
    watched_name: String,
    policy_name: String,
    /// The line of a webhook's test that defines the variable `name` with the object's name; no line if the object is
    /// named after the test's namespace, so that the test needs no variable. The field `webhook_name` has the Rust
    /// expression for the object's name in this test. The field `namespace` has the Rust pattern that binds the name of
    /// the test's namespace.
    webhook_name_line: Vec<String>,
    webhook_name: &'static str,
    namespace: &'static str,
}

impl TestObjectValues {
    pub(super) fn of(controlled: ControllerOfKind<'_>) -> Self {
        let namespaced = controlled.resource.namespaced;
        let fixed = controlled.built_in().map_or("", sample_objects::fixed_name);
        let fixed = (!fixed.is_empty()).then(|| format!("\"{fixed}\"; // each object is named after its address"));
        let name = |other: &str| match (&fixed, namespaced) {
            (_, true) => "\"sample\";".to_owned(),
            (Some(fixed), false) => fixed.clone(),
            (None, false) => other.to_owned(),
        };
        let named_after_namespace = namespaced || controlled.built_in().is_none() && !controlled.is_external();
        let of_webhook = fixed.clone().unwrap_or_else(|| "&format!(\"{namespace}-object\");".to_owned());
        TestObjectValues {
            by_operator: if namespaced {
                "namespaced(operator.client.clone(), &operator.namespace)"
            } else {
                "all(operator.client.clone())"
            },
            by_client: if namespaced { "namespaced(client, &namespace)" } else { "all(client)" },
            own_name: match (namespaced, controlled.controller.owns.is_empty()) {
                (true, _) => "\"sample\"",
                (false, true) => "&operator.namespace",
                (false, false) => "&format!(\"{}-object\", operator.namespace)",
            },
            watched_name: name("&format!(\"{}-object\", operator.namespace);"),
            policy_name: name("&namespace;"),
            webhook_name_line: (!named_after_namespace)
                .then(|| format!("let name = {of_webhook}"))
                .into_iter()
                .collect(),
            webhook_name: if named_after_namespace { "&namespace" } else { "name" },
            namespace: if fixed.is_some() { "_" } else { "namespace" },
        }
    }
}

/// The parts of a controller's test.
#[derive(Clone, Default, Serialize)]
pub(super) struct TestParts {
    /// The items of the controller's module that the test names.
    pub(super) imports: Vec<&'static str>,
    /// The Rust items above the test function.
    pub(super) items: Vec<String>,
    /// The statements of the test, step by step.
    pub(super) steps: Vec<String>,
}
