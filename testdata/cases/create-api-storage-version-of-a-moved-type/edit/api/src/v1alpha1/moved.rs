//! Mine.

// Why this is here.
#[derive(CustomResource, Clone)]
#[kube(group = "example.com", version = "v1alpha1", kind = "WebServer")] // one line
pub struct Spec {}
