//! Waits until the applied Deployments are rolled out, or reports why they are not.

mod failure;
mod observed;
mod pod;
mod rollout;
mod verdict;

pub(super) use observed::selector;
pub(super) use rollout::Rollout;

#[cfg(test)]
mod tests;
