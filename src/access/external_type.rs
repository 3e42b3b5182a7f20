//! Types of other crates that the operator has controllers for.

/// A type of another crate.
#[derive(Clone, Debug)]
pub struct ExternalType {
    /// Its path in Rust, such as `certs::v1::Certificate`.
    pub path: String,
    /// Its kind.
    pub kind: String,
    /// The whole API group.
    pub group: String,
    /// The plural, which names it in roles.
    pub plural: String,
}
