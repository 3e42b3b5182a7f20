//! The search for bugs: the points to try within the budget, and the confirmation of each suspicion.

pub(super) mod cause;
pub(super) mod confirm;
pub(super) mod exploration;
pub(super) mod explorer;
pub(super) mod finding;
pub(super) mod pairs;
pub(super) mod planner;
pub(super) mod undisturbed;
