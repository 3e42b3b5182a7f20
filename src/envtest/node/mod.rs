//! A real node: a kubelet with containerd, kube-scheduler and kube-proxy.
//!
//! Containers need mounts, network interfaces, packet filters, and processes that outlive the program that started them.
//! On this node, all of these are in namespaces (mounts, processes, network) whose first process dies with the process
//! that watches over the control plane. So even after a kill the kernel removes them; only empty cgroups are left.

mod commands;
mod files;
mod network;
mod node_programs;
mod pause;
mod requirements;
mod runtime;

pub(super) use node_programs::NodePrograms;
pub(super) use requirements::check as check_requirements;
pub(super) use runtime::{NAME, Runtime, import, tag};
