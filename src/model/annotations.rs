//! Annotations of CRDs.

/// The version of opctl that wrote a CRD; opctl may remove a file with this annotation.
pub const VERSION_ANNOTATION: &str = "opctl.dev/version";

/// The approval of a CRD in a group of Kubernetes itself, without which the API server refuses it:
/// <https://github.com/kubernetes/enhancements/pull/1111>.
pub const APPROVAL_ANNOTATION: &str = "api-approved.kubernetes.io";
