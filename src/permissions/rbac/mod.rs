//! Makes roles from `// +opctl:rbac:…` markers.

mod elsewhere;
mod grant;
mod grants;
mod normalise;
mod power;
mod role_place;
mod roles;

pub(crate) use elsewhere::replacements;
pub(crate) use grant::Grant;
pub(crate) use grants::{IsOutside, LINTS, grants};
pub(crate) use roles::{cluster_role, roles};

#[cfg(test)]
mod tests;
