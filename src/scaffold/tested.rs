//! The tests of a controller on an API server: their objects, and the parts that they consist of.

use super::children::{ChildValues, Has, owned, share_a_namespace};
use super::controlled::Controlled;
use super::samples;
use super::values::Values;
use crate::Result;
use crate::template::Templates;
use serde::Serialize;

/// The objects that tests make, as expressions in them.
#[derive(Clone, Serialize)]
pub(super) struct TestedValues {
    /// The call that gives their `Api` to the client of an operator, and to one without an operator.
    by_operator: &'static str,
    by_client: &'static str,
    /// The name of an object in the test of a controller that reports, of another controller, and of a policy. The latter two
    /// end with a semicolon, and a comment where there is one.
    own_name: &'static str,
    watched_name: String,
    policy_name: String,
    /// The same in the test of a webhook: the lines that give it, the name, and the pattern of the test's namespace.
    webhook_name_line: Vec<String>,
    webhook_name: &'static str,
    namespace: &'static str,
}

impl TestedValues {
    pub(super) fn of(controlled: Controlled<'_>) -> Self {
        let namespaced = controlled.resource.namespaced;
        let fixed = controlled.built_in().map_or("", samples::fixed_name);
        let fixed = (!fixed.is_empty()).then(|| format!("\"{fixed}\"; // each is named after its address"));
        let name = |other: &str| match (&fixed, namespaced) {
            (_, true) => "\"sample\";".to_owned(),
            (Some(fixed), false) => fixed.clone(),
            (None, false) => other.to_owned(),
        };
        let named_after_namespace = namespaced || controlled.built_in().is_none() && !controlled.is_external();
        let of_webhook = fixed.clone().unwrap_or_else(|| "&format!(\"{namespace}-object\");".to_owned());
        TestedValues {
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

/// The parts of the test of a controller.
#[derive(Clone, Default, Serialize)]
pub(super) struct TestValues {
    /// The items of the controller's module that the test names.
    imports: Vec<&'static str>,
    /// Items above the test.
    items: Vec<String>,
    /// The statements of the test, step by step.
    steps: Vec<String>,
}

/// Renders the test of a controller.
pub(super) fn test(controlled: Controlled<'_>, templates: &Templates, values: &Values<'_>) -> Result<String> {
    let owned = owned(controlled);
    let further: Vec<&ChildValues> = owned.iter().filter(|child| !child.of_image).collect();
    let (template, parts) = match (controlled.reports(), controlled.image()) {
        (_, Some(_)) => ("tests/it/image_kind.rs", of_image(controlled, !further.is_empty())),
        (true, None) => ("tests/it/kind.rs", of_kind(controlled, !further.is_empty())),
        (false, None) => ("tests/it/watched_kind.rs", watched(controlled, !further.is_empty())),
    };
    let part = |name: &&str| {
        let text = templates.render(&format!("tests/it/parts/{name}.rs"), values)?;
        Ok(text.trim_end().to_owned())
    };
    let namespace = share_a_namespace(controlled, &owned) && Has::of(&owned, controlled.reports()).namespaced;
    let test = TestValues {
        imports: parts.imports.iter().copied().chain(namespace.then_some("NAMESPACE")).collect(),
        items: parts.items.iter().map(part).collect::<Result<_>>()?,
        steps: parts.steps.iter().map(part).collect::<Result<_>>()?,
    };
    templates.render(template, &values.clone().with_test(test))
}

/// The templates below `tests/it/parts` that make up a test.
#[derive(Default)]
struct Parts {
    imports: Vec<&'static str>,
    items: Vec<&'static str>,
    steps: Vec<&'static str>,
}

fn of_image(controlled: Controlled<'_>, has_children: bool) -> Parts {
    let finalizer = controlled.controller.finalizer;
    let steps = [(has_children || finalizer, "sample_name"), (has_children, "children"), (finalizer, "finalizer")];
    Parts { steps: wanted(&steps), ..Parts::default() }
}

fn of_kind(controlled: Controlled<'_>, has_children: bool) -> Parts {
    let (resource, finalizer) = (controlled.resource, controlled.controller.finalizer);
    let is_example = resource.fields.is_empty() && resource.imported.is_none();
    let steps = [
        (true, if is_example { "example_ready" } else { "ready" }),
        (has_children, "children"),
        (finalizer, "finalizer"),
        (!resource.namespaced && !finalizer, "deletion"),
    ];
    Parts { imports: vec!["controller"], steps: wanted(&steps), ..Parts::default() }
}

fn watched(controlled: Controlled<'_>, has_children: bool) -> Parts {
    let (namespaced, finalizer) = (controlled.resource.namespaced, controlled.controller.finalizer);
    // Without a trace of its own in the cluster, the test has to note what was reconciled.
    let notes = !finalizer && !has_children;
    let waits = controlled.built_in().is_some_and(samples::creation_waits);
    let steps = [
        (controlled.is_external(), "definition"),
        (true, "object"),
        (true, if waits { "late_creation" } else { "creation" }),
        (has_children, "named_children"),
        (has_children && (finalizer || !namespaced), "owner_name"),
        (finalizer, "kept"),
        (notes, "reconciled"),
        (!namespaced && !finalizer, "deletion"),
    ];
    let items = [(finalizer, "finalizer_constant"), (notes, "noted")];
    Parts {
        imports: vec![if notes { "reconcile" } else { "controller" }],
        items: wanted(&items),
        steps: wanted(&steps),
    }
}

fn wanted(parts: &[(bool, &'static str)]) -> Vec<&'static str> {
    parts.iter().filter(|(wanted, _)| *wanted).map(|(_, name)| *name).collect()
}
