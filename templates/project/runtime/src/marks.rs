//! The label and the annotation that mark a child of the operator.

/// The label of every child, which the watches of owned kinds use as a selector.
pub const MANAGED_BY: &str = "app.kubernetes.io/managed-by";
/// The annotation with a hash of a child's desired field names and list keys. The hash changes if a
/// field is no longer desired, which comparing other fields cannot show. Other values are not
/// hashed: more people can read annotations than Secrets, and could guess a value from its hash.
pub const HASH: &str = "opctl.dev/desired-hash";
