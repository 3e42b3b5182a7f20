//! Kustomizations: the documents that they render, and the remote resources that they name.

pub(super) mod documents;
pub(super) mod remote;
pub(super) mod render;
