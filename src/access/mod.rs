//! Access to the cluster: roles, the rights that the code needs, and admission webhooks.
//!
//! All modules work on sources and markers; only the roles below `config/rbac` are read from files.

mod external_type;
pub(crate) mod rbac;
pub(crate) mod rights;
pub(crate) mod webhook;

pub use external_type::ExternalType;
