//! The tests against an API server: one program, `tests/it`, with a module where `src/controller` has one.
//!
//! Each file directly below `tests/` would be a program of its own, to be linked with everything that the operator needs.

use super::Known;
use super::controlled::Controlled;
use super::create_api::module;
use super::values::Values;
use crate::Result;
use crate::plan::{Existing, Operation};
use crate::template::Templates;

const MAIN: &str = "tests/it/main.rs";
const SUPPORT: &str = "tests/it/support/mod.rs";
const CHILDREN: &str = "tests/it/support/children.rs";

/// Where earlier projects have it, which have one program for each controller.
const EARLIER_SUPPORT: &str = "tests/support/mod.rs";

/// The test of a controller, its `mod` line, and what tests share.
pub(super) fn test(
    controlled: Controlled<'_>,
    templates: &Templates,
    values: &Values<'_>,
    text: String,
    existing: Existing,
    made: Known<'_>,
) -> Result<Vec<Operation>> {
    let mut operations = Vec::new();
    let earlier = earlier_file(controlled);
    if made(&earlier) {
        if existing != Existing::Overwrite {
            return Ok(operations);
        }
        operations.push(Operation::remove(earlier, true));
    }
    operations.push(Operation::create(MAIN, templates.render("test_main.rs", values)?, Existing::Keep));
    match group_of(controlled) {
        Some(group) => {
            let path = format!("tests/it/{group}/mod.rs");
            operations.push(module(MAIN, "", &group));
            operations.push(Operation::create(
                &path,
                templates.render("controller_group_mod.rs", values)?,
                Existing::Keep,
            ));
            operations.push(module(&path, "", &controlled.module()));
        }
        None => operations.push(module(MAIN, "", &beside_support(controlled.module()))),
    }
    operations.push(Operation::create(file(controlled), text, existing));
    operations.push(Operation::create(SUPPORT, templates.render("test_support.rs", values)?, Existing::Keep));
    if values.tests_children() {
        operations.extend(children(templates, values)?);
    }
    Ok(operations)
}

/// What the tests of children share.
fn children(templates: &Templates, values: &Values<'_>) -> Result<[Operation; 2]> {
    let text = templates.render("test_children.rs", values)?;
    Ok([module(SUPPORT, "pub", "children"), Operation::create(CHILDREN, text, Existing::Keep)])
}

/// The tests' support as the project's `namespaced` wants it, wherever it stands.
pub(super) fn support(values: &Values<'_>, force: bool, stands: Known<'_>) -> Result<Vec<Operation>> {
    let text = Templates::load("resource")?.render("test_support.rs", values)?;
    let existing = if force { Existing::Overwrite } else { Existing::KeepEdits };
    let there = [EARLIER_SUPPORT, SUPPORT].into_iter().filter(|path| stands(path));
    let mut operations: Vec<_> = there.map(|path| Operation::create(path, &text, existing)).collect();
    if stands(SUPPORT) && stands(CHILDREN) {
        operations.push(module(SUPPORT, "pub", "children"));
    }
    Ok(operations)
}

/// Where an earlier opctl had the test of a controller, and where it is.
pub(super) fn moved_test(controlled: Controlled<'_>) -> (String, String) {
    (earlier_file(controlled), file(controlled))
}

/// The same of what tests share.
pub(super) fn moved_support() -> (String, String) {
    (EARLIER_SUPPORT.to_owned(), SUPPORT.to_owned())
}

/// The file of a controller's test.
fn file(controlled: Controlled<'_>) -> String {
    match group_of(controlled) {
        Some(group) => format!("tests/it/{group}/{}.rs", controlled.module()),
        None => format!("tests/it/{}.rs", beside_support(controlled.module())),
    }
}

/// The folder of a controller's test.
fn group_of(controlled: Controlled<'_>) -> Option<String> {
    controlled.resource.key.group_module().map(beside_support)
}

/// Where earlier projects have the test of a controller.
fn earlier_file(controlled: Controlled<'_>) -> String {
    format!("tests/{}.rs", beside_support(controlled.path().replace("::", "_")))
}

/// A module's name, unless it is that of what the tests share.
fn beside_support(name: String) -> String {
    if name == "support" { format!("{name}_") } else { name }
}
