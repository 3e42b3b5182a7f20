//! The licence header of generated Rust files, and the prefix of file names below `config/`.

use crate::model::{License, Project, Resource};

/// Returns the prefix of the resource's file names below `config/`, as in kubebuilder's projects with several groups:
/// `<group>_`, or empty if the resource has no group.
pub(in crate::scaffold) fn file_prefix(resource: &Resource) -> String {
    if resource.key.group.is_none() { String::new() } else { format!("{}_", resource.key.group) }
}

/// Returns the licence header of a Rust file, with the blank line below it.
pub fn file_header(project: &Project) -> String {
    let identifier = match project.license {
        License::Apache2 => "Apache-2.0",
        License::Mit => "MIT",
        License::None => return String::new(),
    };
    match &project.owner {
        Some(owner) => format!("// Copyright {owner}\n// SPDX-License-Identifier: {identifier}\n\n"),
        None => format!("// SPDX-License-Identifier: {identifier}\n\n"),
    }
}
