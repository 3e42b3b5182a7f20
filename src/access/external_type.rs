//! Types of other crates that the operator has controllers for.

/// A type of another crate.
#[derive(Clone, Debug)]
pub struct ExternalType {
    /// The path of the type in Rust, such as `certs::v1::Certificate`.
    pub path: String,
    /// The kind.
    pub kind: String,
    /// The full API group.
    pub group: String,
    /// The plural, by which roles name the kind.
    pub plural: String,
}
