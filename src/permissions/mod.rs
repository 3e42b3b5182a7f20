//! The roles of the operator from RBAC markers, and the rights that the code of the operator needs.
//!
//! All modules work on sources and markers; only the roles below `config/rbac` are read from files.

mod external_type;
pub(crate) mod rbac;
pub(crate) mod rights;

pub use external_type::ExternalType;
