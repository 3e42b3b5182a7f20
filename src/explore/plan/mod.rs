//! Defines the plan of a run: the class of the fault, the step in which it is injected, and its target, such as a
//! request.

pub(super) mod change;
pub(super) mod choice;
pub(super) mod class;
pub(super) mod fault_plan;
pub(super) mod field_values;
pub(super) mod step;
pub(super) mod workload;
