//! Settings of pods that the restricted pod security standard admits
//! (<https://kubernetes.io/docs/concepts/security/pod-security-standards/>).
//!
//! ```
//! use k8s_openapi::api::core::v1::{Container, PodSpec};
//! use runtime::restricted;
//!
//! let web = Container {
//!     security_context: Some(restricted::container()),
//!     ..Default::default()
//! };
//! let pod = PodSpec {
//!     containers: vec![web],
//!     security_context: Some(restricted::pod()),
//!     ..Default::default()
//! };
//! ```

use k8s_openapi::api::core::v1::{
    Capabilities, PodSecurityContext, SeccompProfile, SecurityContext,
};

/// Returns the security context of a container: no capabilities, and no privilege escalation. The
/// image must not need root.
#[must_use]
pub fn container() -> SecurityContext {
    SecurityContext {
        allow_privilege_escalation: Some(false),
        capabilities: Some(Capabilities {
            drop: Some(vec!["ALL".into()]),
            ..Capabilities::default()
        }),
        ..SecurityContext::default()
    }
}

/// Returns the security context of a pod: no root, and only the system calls that the container
/// runtime allows by default.
#[must_use]
pub fn pod() -> PodSecurityContext {
    PodSecurityContext {
        run_as_non_root: Some(true),
        seccomp_profile: Some(SeccompProfile {
            type_: "RuntimeDefault".into(),
            ..SeccompProfile::default()
        }),
        ..PodSecurityContext::default()
    }
}
