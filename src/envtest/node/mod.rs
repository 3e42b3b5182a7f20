//! A real node: a kubelet with a container runtime, kube-scheduler and kube-proxy.
//!
//! Containers need mounts, network interfaces, packet filters, and processes that outlive the program that started
//! them. On this node, all of these are in namespaces (mounts, processes, network). The first process in the
//! namespaces ends with the process that supervises the control plane. So even after a kill, the kernel removes the
//! namespaces and their content; only empty cgroups are left.

mod commands;
mod config_files;
mod containerd;
mod crio;
mod image_store;
mod network;
mod node_programs;
mod node_settings;
mod pause;
mod registry;
mod requirements;
mod runtime;

pub(super) use image_store::ImageStore;
pub(super) use node_programs::NodePrograms;
pub(super) use node_settings::NodeSettings;
pub(super) use registry::{check as check_registry, host as registry_host, start as start_registry};
pub(super) use requirements::check as check_requirements;
pub(super) use runtime::{NAME, Runtime};
