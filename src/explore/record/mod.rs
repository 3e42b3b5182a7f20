//! Records of a run: the journal of requests and events, and the state of the objects at the end.

pub(super) mod call;
pub(super) mod effect;
pub(super) mod journal;
pub(super) mod lock;
pub(super) mod normalize;
pub(super) mod protobuf;
pub(super) mod random_names;
pub(super) mod run_scope;
pub(super) mod state;
pub(super) mod wellness;
