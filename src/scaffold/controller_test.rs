//! Generates the test of a controller, which runs on an API server.

use super::children::{enabled_parts, owned_children, share_a_namespace};
use super::controlled::ControllerOfKind;
use super::field_samples::has_example;
use super::sample_objects;
use super::test_values::TestParts;
use super::values::Values;
use crate::Result;
use crate::template::Templates;

/// Renders the test of a controller.
pub(super) fn controller_test(
    controlled: ControllerOfKind<'_>,
    templates: &Templates,
    values: &Values<'_>,
) -> Result<String> {
    let owned = owned_children(controlled);
    let has_children = owned.iter().any(|child| !child.of_image);
    let (template, parts) = match (controlled.reports(), controlled.image()) {
        (_, Some(_)) => ("tests/it/image_kind.rs", of_image(controlled, has_children)),
        (true, None) => ("tests/it/kind.rs", of_kind(controlled, has_children)),
        (false, None) => ("tests/it/watched_kind.rs", watched_kind_parts(controlled, has_children)),
    };
    let part = |name: &&str| {
        let text = templates.render(&format!("tests/it/parts/{name}.rs"), values)?;
        Ok(text.trim_end().to_owned())
    };
    let namespace = share_a_namespace(controlled, &owned) && owned.iter().any(|child| child.namespaced);
    let test = TestParts {
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

fn of_image(controlled: ControllerOfKind<'_>, has_children: bool) -> Parts {
    let finalizer = controlled.controller.finalizer;
    let steps = [(has_children || finalizer, "sample_name"), (has_children, "children"), (finalizer, "finalizer")];
    Parts { steps: enabled_parts(&steps), ..Parts::default() }
}

fn of_kind(controlled: ControllerOfKind<'_>, has_children: bool) -> Parts {
    let (resource, finalizer) = (controlled.resource, controlled.controller.finalizer);
    let steps = [
        (true, if has_example(resource) { "example_ready" } else { "ready" }),
        (has_children, "children"),
        (finalizer, "finalizer"),
        (!resource.namespaced && !finalizer, "deletion"),
    ];
    Parts { imports: vec!["controller"], steps: enabled_parts(&steps), ..Parts::default() }
}

fn watched_kind_parts(controlled: ControllerOfKind<'_>, has_children: bool) -> Parts {
    let (namespaced, finalizer) = (controlled.resource.namespaced, controlled.controller.finalizer);
    // If the controller leaves no trace in the cluster, the test has to note what was reconciled.
    let notes = !finalizer && !has_children;
    let waits = controlled.built_in().is_some_and(sample_objects::creation_waits);
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
        items: enabled_parts(&items),
        steps: enabled_parts(&steps),
    }
}
