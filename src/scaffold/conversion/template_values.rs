//! The values with which opctl renders the templates of conversions.

use crate::model::{Controller, Project, Resource, Version};
use crate::scaffold::controlled::ControllerOfKind;
use crate::scaffold::values::Values;

pub(super) fn values<'a>(project: &'a Project, hub: &Resource, spokes: &[Version]) -> Values<'a> {
    let controller = Controller::default();
    let spokes = spokes.iter().filter_map(|spoke| project.resource(&hub.key.of_version(spoke)));
    let spokes: Vec<&Resource> = spokes.collect();
    Values::of_controller(project, ControllerOfKind { resource: hub, controller: &controller }).converting(&spokes)
}
