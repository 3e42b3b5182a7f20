//! The only integration test binary.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests say what went wrong by panicking")]

/// `opctl adopt`: operators that were written without opctl.
mod adopted;
/// CRDs compared with older ones, from git, from files and from a cluster.
mod against;
/// `AGENTS.md` of a project: every command in it works.
mod agents_page;
/// `opctl bench`: the memory and the requests that it measures, and its forecast for more objects.
mod bench;
/// The book: its chapters, links, code and commands.
mod book;
/// Tests of opctl's build script, which finds the commit of a release and the linker arguments.
mod build_script;
/// Bundles for the Operator Lifecycle Manager.
mod bundle;
/// The files that opctl keeps on a machine.
mod cache;
/// The cases in `testdata/cases`: opctl command lines with their recorded output and files.
mod cases;
/// CEL rules on a real API server.
mod cel_rules;
/// The same types in Rust and in Go give equal CRDs.
mod compared;
/// Completion in bash when a user presses Tab, and the completion files for packages.
mod completion;
/// `config/`: kubectl renders it, and a real API server accepts it.
mod config;
/// Conversion between versions: no field is lost, and no request waits for an operator that has ended.
mod conversion;
/// Kubernetes' own kinds on a real API server.
mod core_kinds;
/// `testdata/corpus`: Rust types, their CRDs, and their objects on a real API server.
mod corpus;
/// A credential plugin runs once in a command.
mod credentials;
/// The Grafana dashboards of a project.
mod dashboards;
/// The CRDs below `config/crd/bases` over a project's life.
mod definitions;
/// Rust types from CRDs, and CRDs from these types.
mod definitions_adopted;
/// Every CRD in testdata on a real API server.
mod definitions_on_a_server;
/// `opctl delete` in random projects, and next to code that users wrote.
mod deletion;
/// `opctl demo`, complete and interrupted.
mod demo;
/// `opctl deploy` and `undeploy` on a real API server.
mod deploy;
/// A golden operator (`testdata/golden`) that owns a Deployment and a Service, on a real API server.
mod deployment_operator;
/// `opctl docs`: the API reference of projects.
mod docs;
/// `opctl doctor`: problems of a machine, a project or a cluster, and their fixes.
mod doctor;
/// The examples in the topics of `opctl help`.
mod documented;
/// Projects that earlier versions of opctl made.
mod earlier_projects;
/// Local control planes with real servers.
mod envtest;
/// Checks that every error of opctl is documented, and that tests provoke most errors.
mod errors;
/// A golden operator (`testdata/golden`) with all that `create api` can scaffold, such as children, fields and
/// finalizers, on a real API server.
mod everything_scaffolded;
/// `opctl explore` on operators with and without bugs.
mod explore;
/// Controllers of a kind that another crate defines.
mod external_kinds;
/// Changes of a project during which the k-th write fails, for each k.
mod faults;
/// Each code of `opctl explain` is reported at the line of its cause.
mod findings_at_their_lines;
/// After a GitOps tool has applied a manifest, the object in the cluster equals the manifest.
mod gitops;
/// Whole projects: regenerated, built and tested.
mod golden;
/// Operators of `testdata/golden` with several groups and scopes, and without a kind, on a real API server.
mod groups_and_scopes;
/// Tests of the Lua and CEL code that `opctl health-checks` prints, run by interpreters.
mod health_checks;
/// Attacks by repositories, servers and other users of the machine: nothing outside of the project changes.
mod hostile;
/// The Dockerfile, and the container tools that build it.
mod image;
/// An operator of `testdata/golden` with the account, the files and the rights of its pod, on a real API server.
mod in_cluster;
/// The installer and the Helm chart.
mod installer;
/// Ctrl+C while an operator or tests run.
mod interrupted;
/// JSON schemas, with which editors complete and check YAML.
mod json_schema;
/// CRDs of types that use every `#[kube(..)]` attribute.
mod kube_attributes;
/// An operator of `testdata/golden` on a real API server, from `install` to `uninstall`.
mod life_of_an_operator;
/// CRDs with mistakes on a real API server.
mod lint;
/// Tests of `opctl build --local`, which builds images without a container tool.
mod local_image;
/// `opctl run` serves webhooks from this machine.
mod local_webhooks;
/// `opctl logs` through a real API server.
mod logs;
/// The names that opctl derives from long and odd names, on a real API server.
mod long_names;
/// `opctl manifests` on a real api crate.
mod manifest;
/// `opctl mcp`: a client calls every tool.
mod mcp;
/// Branches that git merges, with `opctl resolve` for the conflicts that git cannot resolve.
mod merges;
/// `opctl migrate`: objects stored in an older version, on a real API server.
mod migrate;
/// Machines that lack a program, or have a broken one.
mod missing_tools;
/// Checks that the test cases of `corpus` detect most defects in the code that converts schemas: each defect turns off
/// one statement, condition or match arm of this code.
mod mutations;
/// After a change, only a part of the types is compiled.
mod narrow_compilation;
/// Random schemas, and the corpus of the fuzz target `schema`.
mod odd_schemas;
/// `opctl test`: it starts a server for a project's tests, and gives them the rights of the operator.
mod opctl_test;
/// An operator of `testdata/golden` with panics, invalid objects and failing servers.
mod operator_in_trouble;
/// Five operators known from tutorials, made by opctl and used on a real control plane.
mod operators;
/// The runtime of generated projects under many orders of events, against a model of the API server.
mod orders;
/// Templates in a project that replace or extend those of opctl.
mod own_templates;
/// Tests of demo pictures in README.
mod picture;
/// Scaffolded policies on a real API server: the requests that they refuse, and errors in the policies.
mod policies;
/// The opctl binary: killed, run many times at once, and on disks that fail.
mod processes;
/// The promises of README, and the tests of each promise.
mod promises;
/// Properties that hold for random projects and odd names.
mod properties;
/// The packages of opctl and of its runtime, used from a registry on this machine.
mod published;
/// Projects with random objects in `config/`: checks that the installer, the chart and the bundle contain the same
/// objects.
mod random_config;
/// The commands of README that need a cluster or a container tool.
mod readme;
/// An operator on a real node.
mod real_node;
/// The scripts by which opctl is released.
mod release;
/// `opctl rename`: kinds, groups and projects under other names.
mod rename;
/// The JSON report and its published schema.
mod report_schema;
/// Every right in a generated role is needed by the generated tests.
mod rights;
/// The rights of the operator's account are those that markers state.
mod roles;
/// Random deploys on a node whose pods fail.
mod rollouts;
/// `opctl run`: the operator against a cluster, and how it ends.
mod run;
/// The public items of the runtime crate.
mod runtime_api;
/// Objects and CRDs that a real API server refuses, and servers that cannot be reached.
mod server_refusals;
/// Projects below folders with settings of cargo, rustfmt, clippy and git.
mod settings_above;
/// The simulated node together with the real controllers.
mod simulation;
/// Commands that use the manifests: checks that they refuse stale manifests and show findings.
mod stale_manifests;
/// `opctl status`: the state of the operator in a cluster.
mod status;
/// The answers of a real API server to the schemas in `testdata/manifest`.
mod structural_schemas;
/// Helpers for tests: temporary folders to run opctl in, projects, machines with chosen programs, servers and
/// operators.
mod support;
/// Rules for the source code: dependencies between layers, modules that must have no side effects, sizes and words.
mod tidy;
/// `opctl update`: projects of another version of opctl are brought up to date.
mod update;
/// `opctl manifests --verify`, with a real API server.
mod verify;
/// Further versions of a kind on a real API server.
mod versions;
/// Webhooks deployed with the production manifests. The operator acts as the certificate authority of these webhooks.
mod webhook_authority;
/// Webhooks from markers, on a real API server.
mod webhooks;
/// Strings in opctl's YAML, read back by kubectl.
mod yaml;
