//! The one integration test binary.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests say what went wrong by panicking")]

/// Operators that were there before opctl.
mod adopted;
/// Definitions against older ones: git, files and a cluster.
mod against;
/// What the build script finds out.
mod build_script;
/// Bundles for the Operator Lifecycle Manager.
mod bundle;
/// What opctl keeps on a machine.
mod cache;
/// `testdata/cases`: what every command line says and leaves.
mod cases;
/// Rules in CEL, on a real API server.
mod cel_rules;
/// The same types in Rust and in Go.
mod compared;
/// Completion in a shell, and the files for packages.
mod completion;
/// `config/`: what it renders, and that an API server takes it.
mod config;
/// Versions that differ: nothing is lost, and nobody waits for an operator that has ended.
mod conversion;
/// Kubernetes' own kinds on a real API server.
mod core_kinds;
/// `testdata/corpus`: Rust types, their definitions, and their objects on a real API server.
mod corpus;
/// Grafana's dashboards.
mod dashboards;
/// The definitions below `config/crd/bases` over a project's life.
mod definitions;
/// Rust types from definitions, and back.
mod definitions_adopted;
/// Every definition in testdata, on a real API server.
mod definitions_on_a_server;
/// What is taken out of projects, at random and beside what users wrote.
mod deletion;
/// The demo, from its beginning to an early end.
mod demo;
/// The operator into a cluster and out of it.
mod deploy;
/// The golden operator of a Deployment and a Service on a real API server.
mod deployment_operator;
/// The API reference of projects.
mod docs;
/// What is wrong with a machine, a project or a cluster, and how to mend it.
mod doctor;
/// What the topics of `opctl help` show.
mod documented;
/// Projects of an earlier opctl.
mod earlier_projects;
/// The local control plane, against its real servers.
mod envtest;
/// Every error, and what provokes it.
mod errors;
/// The golden operator of everything that `create api` can scaffold: children, fields, finalizers.
mod everything_scaffolded;
/// Exploring operators with and without bugs.
mod explore;
/// Controllers of a kind that another crate defines.
mod external_kinds;
/// The k-th write fails, for every k.
mod faults;
/// Each code of `opctl explain` stands at the line of its cause.
mod findings_at_their_lines;
/// Whole projects: regenerated, built and tested.
mod golden;
/// A golden operator of several groups and scopes on a real API server.
mod groups_and_scopes;
/// The image: its Dockerfile, and the tools that build it.
mod image;
/// A golden operator with the account, the files and the rights of its pod.
mod in_cluster;
/// The installer and the Helm chart.
mod installer;
/// Ctrl+C while an operator or tests run.
mod interrupted;
/// JSON schemas, which editors complete YAML by.
mod json_schema;
/// Everything that `#[kube(..)]` can say.
mod kube_attributes;
/// A golden operator on a real API server.
mod life_of_an_operator;
/// Definitions with mistakes, on a real API server.
mod lint;
/// `opctl run` serves webhooks from this machine.
mod local_webhooks;
/// The operator's logs, as its cluster has them.
mod logs;
/// Manifests of a real api crate.
mod manifest;
/// Branches that git merges, and what it leaves to opctl.
mod merges;
/// Objects stored in an older version, on a real API server.
mod migrate;
/// Machines that lack something.
mod missing_tools;
/// Whether the corpus notices when a part of the schema passes is turned off.
mod mutations;
/// After a change, only a part of the types is compiled.
mod narrow_compilation;
/// Random schemas, and the corpus of the fuzz target.
mod odd_schemas;
/// `opctl test`: a server and the operator's rights for a project's tests.
mod opctl_test;
/// The golden operator in trouble.
mod operator_in_trouble;
/// Five operators known from tutorials, made by opctl and lived through on a real control plane.
mod operators;
/// The runtime of generated projects, under orders of events that a model of the API server plays.
mod orders;
/// The picture in README.
mod picture;
/// Scaffolded policies on a real API server: what they refuse, and what is wrong with them.
mod policies;
/// The real binary: killed, many at once, and on disks that refuse.
mod processes;
/// What holds for random projects and odd names.
mod properties;
/// The commands of README that need a cluster or a container tool.
mod readme;
/// The scripts by which opctl is released.
mod release;
/// Kinds, groups and projects under other names.
mod rename;
/// The JSON report and its published schema.
mod report_schema;
/// The rights of a generated role: each is needed by the generated tests.
mod rights;
/// Deploys at random on a node whose pods fail.
mod rollouts;
/// `opctl run`: the operator against a cluster, and its end.
mod run;
/// The public items of the runtime.
mod runtime_api;
/// What a real API server refuses, and what cannot be reached.
mod server_refusals;
/// The simulated node, and what real controllers make of it.
mod simulation;
/// Stale manifests, and findings, in commands that hand manifests on.
mod stale_manifests;
/// The operator in the cluster at a glance.
mod status;
/// Schemas of the cases on a real API server.
mod structural_schemas;
/// A hermetic place to run opctl in.
mod support;
/// Layers, purity, sizes and words.
mod tidy;
/// Projects of another opctl become those of this one.
mod update;
/// `opctl manifests --verify`, with a real API server.
mod verify;
/// Further versions of a kind on a real API server.
mod versions;
/// Webhooks with the manifests of production, and their own certificate authority.
mod webhook_authority;
/// Webhooks from markers, on a real API server.
mod webhooks;
/// Strings through our YAML and kubectl's reader.
mod yaml;
