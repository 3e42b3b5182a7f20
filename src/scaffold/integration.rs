//! The tests that need an API server: one test program, `tests/it`, with the same modules as `src/controller`.
//!
//! Cargo would link each file directly below `tests/` as a separate test program, with all dependencies of the
//! operator.

use super::IsGenerated;
use super::controlled::ControllerOfKind;
use super::module_line::module;
use super::values::Values;
use crate::Result;
use crate::model::ProjectPath;
use crate::plan::{Existing, Operation};
use crate::template::Templates;

const MAIN: &str = "tests/it/main.rs";

/// Returns the operations for the test of a controller and for the test's `mod` line. `file_operation` returns the
/// operation for the test's file.
pub(super) fn test(
    controlled: ControllerOfKind<'_>,
    templates: &Templates,
    values: &Values<'_>,
    file_operation: &dyn Fn(ProjectPath) -> Result<Operation>,
    existing: Existing,
    made: IsGenerated<'_>,
) -> Result<Vec<Operation>> {
    let mut operations = Vec::new();
    let earlier = earlier_file(controlled);
    if made(&earlier) {
        if existing != Existing::Overwrite {
            return Ok(operations);
        }
        operations.push(Operation::remove(ProjectPath::parse(earlier)?, true));
    }
    operations.push(Operation::create(MAIN, templates.render("tests/it/main.rs", values)?, Existing::Keep));
    match controlled.resource.key.group_module() {
        Some(group) => {
            let path = ProjectPath::parse(format!("tests/it/{group}/mod.rs"))?;
            operations.push(module(MAIN, "", &group));
            operations.push(Operation::create(
                &path,
                templates.render("src/controller/group/mod.rs", values)?,
                Existing::Keep,
            ));
            operations.push(module(&path, "", &controlled.module()));
        }
        None => operations.push(module(MAIN, "", &controlled.module())),
    }
    operations.push(file_operation(ProjectPath::parse(file(controlled))?)?);
    Ok(operations)
}

/// Returns two paths of a controller's test: the path in a project that an earlier opctl version created, and the
/// current path.
pub(super) fn moved_test(controlled: ControllerOfKind<'_>) -> Result<(ProjectPath, ProjectPath)> {
    Ok((ProjectPath::parse(earlier_file(controlled))?, ProjectPath::parse(file(controlled))?))
}

/// Returns the path of a controller's test.
fn file(controlled: ControllerOfKind<'_>) -> String {
    match controlled.resource.key.group_module() {
        Some(group) => format!("tests/it/{group}/{}.rs", controlled.module()),
        None => format!("tests/it/{}.rs", controlled.module()),
    }
}

/// Returns the path of a controller's test in projects of an earlier opctl version.
fn earlier_file(controlled: ControllerOfKind<'_>) -> String {
    format!("tests/{}.rs", controlled.path().replace("::", "_"))
}
