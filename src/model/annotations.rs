//! Annotations of CRDs.

/// The annotation with the version of the opctl that wrote a CRD; opctl may remove a CRD file with this annotation.
pub const VERSION_ANNOTATION: &str = "opctl.dev/version";

/// The annotation that approves a CRD in an API group of the Kubernetes project. The API server refuses such a CRD
/// without the annotation: <https://github.com/kubernetes/enhancements/pull/1111>.
pub const APPROVAL_ANNOTATION: &str = "api-approved.kubernetes.io";
