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

/// The test of a controller, and its `mod` line.
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
    let (folder, name) = (controlled.resource.key.group_module(), controlled.module());
    let file = match folder {
        Some(group) => {
            let path = format!("tests/it/{group}/mod.rs");
            operations.push(module(MAIN, "", &group));
            operations.push(Operation::create(
                &path,
                templates.render("controller_group_mod.rs", values)?,
                Existing::Keep,
            ));
            operations.push(module(&path, "", &name));
            format!("tests/it/{group}/{name}.rs")
        }
        None => {
            operations.push(module(MAIN, "", &name));
            format!("tests/it/{name}.rs")
        }
    };
    operations.push(Operation::create(file, text, existing));
    Ok(operations)
}

/// Where earlier projects have the test of a controller.
fn earlier_file(controlled: Controlled<'_>) -> String {
    format!("tests/{}.rs", controlled.path().replace("::", "_"))
}
