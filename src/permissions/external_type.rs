//! Types of other crates that the operator has controllers for.

/// A Kubernetes kind whose Rust type is defined in another crate.
#[derive(Clone, Debug)]
pub struct ExternalType {
    /// The path of the type in Rust, such as `certs::v1::Certificate`.
    pub path: String,
    /// The name of the kind of the external type.
    pub kind: String,
    /// The full API group.
    pub group: String,
    /// The plural resource name that RBAC rules use for the kind, such as `certificates`.
    pub plural: String,
}
