//! Checks a renamed resource.

use super::collisions::{check_collisions, check_controller, check_lengths};
use super::controllers;
use super::image_kind::check_image;
use crate::Result;
use crate::model::{Project, Resource};
use crate::scaffold::controlled::ControllerOfKind;

/// Checks a renamed resource against all other resources of the project.
pub(in crate::scaffold) fn check_renamed(resource: &Resource, project: &Project) -> Result<()> {
    check_lengths(resource, project)?;
    check_image(resource)?;
    for other in project.resources.iter().filter(|other| other.key != resource.key) {
        check_collisions(other, resource)?;
    }
    for controller in &resource.controllers {
        let controlled = ControllerOfKind { resource, controller };
        controllers::check(controlled, project)?;
        check_controller(controlled, project)?;
    }
    Ok(())
}
