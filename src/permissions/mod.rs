//! Generates the operator's roles from RBAC markers, `+opctl:rbac`, in its Rust code, and finds rights that the code
//! needs.
//!
//! The submodules work on parsed sources. The only other input is the roles below `config/rbac`, which are read from
//! files.

mod external_type;
pub(crate) mod rbac;
pub(crate) mod rights;

pub use external_type::ExternalType;
