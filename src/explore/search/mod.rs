//! Searches for bugs: chooses the plans of runs within the time budget, and confirms each suspicion with repeated runs.

pub(super) mod cause;
pub(super) mod confirm;
pub(super) mod exploration;
pub(super) mod explorer;
pub(super) mod finding;
pub(super) mod pairs;
pub(super) mod planner;
pub(super) mod undisturbed;
