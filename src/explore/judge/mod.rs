//! Judges a run of the operator, usually by a comparison with reference runs without a fault, and returns
//! suspicions, which are possible bugs of the operator.

pub(super) mod lease_writes;
pub(super) mod oracles;
pub(super) mod premature_ready;
pub(super) mod revival;
pub(super) mod suspicion;
