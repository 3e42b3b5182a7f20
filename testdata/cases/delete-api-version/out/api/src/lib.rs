//! The custom resources of webserver-operator.
//!
//! Types only, without a client: other programs can depend on them at little cost.
pub mod v1;
