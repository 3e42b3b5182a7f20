//! The plans of runs: the classes of faults, the steps of the scenario, and the points of a fault.

pub(super) mod change;
pub(super) mod choice;
pub(super) mod class;
pub(super) mod fault_plan;
pub(super) mod field_values;
pub(super) mod step;
pub(super) mod workload;
