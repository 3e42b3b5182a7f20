//! Runs an operator through the steps of an exploration, with a fault or as a reference without a fault, and reads the
//! state of the objects at the end of each step.

pub(super) mod complaints;
pub(super) mod exercise;
pub(super) mod faults;
pub(super) mod field_run;
pub(super) mod hand_over;
pub(super) mod held;
pub(super) mod lease;
pub(super) mod log;
pub(super) mod probe_changes;
pub(super) mod readiness;
pub(super) mod reference;
pub(super) mod run_environment;
pub(super) mod settle;
pub(super) mod steps;
pub(super) mod unanswered;
pub(super) mod unready;
