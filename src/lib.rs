//! The library of opctl, a tool that scaffolds and manages Kubernetes operators on kube-rs. This page describes the
//! architecture.
//!
//! # Data flow
//!
//! ```text
//! argv ─clap─▶ arguments ─▶ intent ─┐
//! PROJECT ─▶ Project ───────────────┼─▶ scaffold (pure) ─▶ operations ─┐
//! api crate ─▶ manifest ────────────┘                                  ├─▶ reconcile (pure) ─▶ Plan ─▶ commit ─▶ Report
//! working tree ─▶ Snapshot ────────────────────────────────────────────┘
//! config/crd ─▶ cluster: server-side apply, wait ─▶ Report
//! ```
//!
//! [`scaffold`] turns the intent of a command into [`plan::Operation`]s, such as files to create and lines to insert.
//! [`plan::reconcile`] compares these operations with a [`plan::Snapshot`] of the files that the operations name, and
//! returns a [`plan::Plan`]. Dry run, diff, `--check`, commit and JSON output all use this plan. [`workspace`] commits
//! the plan completely or not at all.
//!
//! [`scaffold::generate_project`] renders all files that opctl generates for a `PROJECT` file. An update, a deletion
//! and a renaming compare the snapshot with such a rendering of the project before the command, with one after the
//! command, and with the hashes of the files that opctl generated earlier. All commands use the same decision table for
//! a file. If the user has edited a file, the rendering before the command shows the lines that opctl inserted earlier,
//! and the rendering after the command becomes the base of the next merge.
//!
//! # Invariants
//!
//! - **Planning is pure.** These modules use no file, process, clock, environment variable or terminal: `model`,
//!   `schema`, `api_reference`, `edit`, `plan`, `scaffold`, `packaging`, `crd_to_rust`, `template`, `attributes`,
//!   `html`, `kube_rs`, `finding`, `health`, `olm`, `conflict` and `syntax`. A test checks their sources.
//! - **Input has limits.** Only [`reading`] opens files and only [`syntax`] parses Rust. Both limit sizes and nesting
//!   depths, and [`reading`] refuses pipes and devices, which could block opctl; only a file that the user names may be
//!   a pipe. The answers of servers have limits as well.
//! - **Side effects occur only in known source files.** [`workspace`] writes a project's files. `source`, `permissions`
//!   and `manifest` read some of them, in source files that a test lists. `cli`, `commands`, `cluster`, `envtest`,
//!   `exec`, `explore`, `system` and `type_program` read and write their own files, such as kubeconfigs and caches.
//!   `exec`, `envtest`, `system` and two further source files, which the test also lists, start programs.
//! - **A command changes everything or nothing.** A command stages contents in `.opctl/journal` and renames them to
//!   their paths, with `PROJECT` last. If a command is interrupted, the next command that writes undoes the interrupted
//!   command, or completes it if the journal already has its list of files. The list carries a seal that only the same
//!   user's opctl can create, and that is valid only for this folder.
//! - **A repository is hostile input.** The path of a project's file is a [`model::ProjectPath`], which can be created
//!   only by a check. [`workspace`] refuses symlinks that lead out of the project, both before a plan is made and
//!   before the plan is committed.
//! - **Running a command again changes nothing.** opctl compares the present content with the wanted content.
//! - **A user's line is never lost** without `--force`. `.opctl/files.yaml` records the hash of each file that opctl
//!   generated.
//! - **No silent skip.** If the marker for an edit is missing, the command fails with an error that contains the lines
//!   to paste.
//! - **Scaffolding has no prerequisites**: it needs no network, git, cargo, kubectl or answer to a question.
//! - **stdout has the data, stderr has the messages for the user.** Only [`report`] writes to them.
//!
//! # Modules
//!
//! "Pure" modules have no side effects, and "leaves" are helpers that all other modules may use.
//!
//! | module | contents |
//! |---|---|
//! | [`cli`] | the command line: parsing, help, completion, and the table of all commands |
//! | [`commands`] | a file or a folder for each command, with its arguments and the function that runs it and returns a report |
//! | [`scaffold`] | turns the intent of a command into operations on the files of a project: pure |
//! | [`manifest`] | YAML from Rust types and markers: generates CRDs, checks CRDs, and compares CRDs with older ones |
//! | [`permissions`] | roles from RBAC markers, and the rights that the code needs |
//! | [`webhook_markers`] | webhook configurations from markers |
//! | [`packaging`] | packages of an operator (OLM bundle, Helm chart, installer): pure |
//! | [`crd_to_rust`] | Rust types from existing CRDs: pure |
//! | [`type_program`] | compiles the types of an api crate in a small program that prints their schemas |
//! | [`source`] | reads Rust sources: custom resources, markers, the lines of fields |
//! | [`schema`] | converts schemas of schemars to structural schemas, and checks the API server's rules for schemas, CEL and RE2: pure |
//! | [`api_reference`] | the API reference of kinds, from CRDs: Markdown, HTML, JSON schemas for editors: pure |
//! | [`health`] | health checks of kinds for Argo CD and Flux: pure |
//! | [`olm`] | the Operator Lifecycle Manager: rules for bundles, and catalogs: pure |
//! | [`cluster`] | all work in a cluster, with kube |
//! | [`envtest`] | a control plane on this machine |
//! | [`explore`] | finds an operator's bugs: runs the operator behind a proxy that injects the faults of real clusters, and compares the runs |
//! | [`mod@bench`] | measures an operator with many objects, and estimates its memory for more objects |
//! | [`mcp`] | serves the commands as tools to coding agents, and runs each call in a separate opctl process |
//! | [`template`], [`edit`], [`plan`] | renders templates, edits files of the user, decides what changes on disk: pure |
//! | [`model`] | types of names and resources that can hold only valid values |
//! | [`workspace`], [`exec`], [`report`], [`system`] | leaves: files, processes, terminal, differences of operating systems |
//! | [`reading`], [`syntax`] | leaves: read files and parse Rust, with limits on sizes and depths |
//! | [`kube_rs`] | rules of kube that opctl applies without calling kube, to compare with each new major version of kube |
//! | [`authorization`] | leaf: grants rights, and waits until they are in effect |
//! | `attributes`, [`yaml`], [`conflict`], [`duration`], `visible` | leaves: attributes of Rust items, YAML, conflict markers, durations, escapes for hidden characters in untrusted text |
//! | [`test_api`] | re-exports for tests, benchmarks and fuzz targets; all other modules except `cli` are private |
//! | [`error`], [`finding`], [`html`] | leaves: errors, findings with their codes, pages for browsers |
//!
//! A module uses only modules that come later in this order: `cli`, then `commands`, then `scaffold`, `manifest`,
//! `cluster`, `envtest`, `bench`, `explore` and `mcp`, then `webhook_markers`, `permissions` and `type_program`, then
//! `source`, then `template`, `edit`, `plan`, `api_reference` and `schema`, then `model`. The files and the direct
//! submodules of a module do not depend on each other in a cycle: code that two of these files or submodules need is in
//! a third one. A `mod.rs` that re-exports its children holds documentation, `mod` lines and re-exports, and defines
//! nothing itself. Tests check these rules.
//!
//! # Tests
//!
//! Folders below `testdata`:
//!
//! - `golden`: whole generated projects with the commands that make them
//! - `earlier`: a project that an earlier version of opctl created, with a user's edits
//! - `operators`: five operators known from tutorials, with the commands that scaffold them and the files that their
//!   users edit
//! - `cases`: command lines with their output and the resulting files
//! - `manifest`: schemas and markers with the YAML that opctl generates from them
//! - `corpus`: Rust types, each for one rule, with opctl's output and the answer of an API server
//! - `conversion`: a user's code in two versions of a kind
//! - `certs`: a third-party crate with types, for which projects have controllers
//! - `explore`: a simple operator, and patches that each add a bug to it
//! - `reference`: the API reference of golden projects
//! - `bundle-mutations`: a bundle for the Operator Lifecycle Manager, changes to it, and the answers of
//!   operator-framework's validators to each change
//! - `places`: projects with a comment at each line for which a finding is expected
//! - `compared`: the same types in Rust and in Go
//! - `definitions`: CRDs of an operator in Go, for `opctl adopt --crds`
//! - `orders`: orders of events in which an earlier runtime of projects failed; `tests/runtime` replays them with a
//!   model of the API server
//! - `runtime-bugs`: patches that reintroduce earlier bugs of the runtime, each with the test that must detect the bug
//!
//! The files `testdata/demo.svg` and `testdata/finding.svg` are recorded runs of the demo. `testdata/attacks.md` lists
//! attacks with the tests that check the defenses, and `testdata/promises.md` lists the promises of README with their
//! tests. `testdata/fuzz/schema.txt` has one input of the schema fuzz target per line, in hexadecimal digits;
//! `tests/fuzz/grammar.rs` converts an input to a schema. The folders of `testdata/fuzz` have the input texts of the
//! other fuzz targets, which call the parsers in `tests/fuzz/readers.rs`.
//!
//! Cluster tests run against a real kube-apiserver, which `opctl envtest setup` downloads or builds. With the
//! environment variable `SNAPSHOTS=overwrite`, tests replace the expected files with the present results.

mod api_reference;
mod attributes;
mod authorization;
mod bench;
pub mod cli;
mod cluster;
mod commands;
mod conflict;
mod crd_to_rust;
mod duration;
mod edit;
mod envtest;
mod error;
mod exec;
mod explore;
mod finding;
mod health;
mod host;
mod html;
mod image;
mod kube_rs;
mod manifest;
mod mcp;
mod model;
mod olm;
mod packaging;
mod permissions;
mod plan;
mod reading;
mod report;
mod scaffold;
mod schema;
mod source;
mod syntax;
mod system;
mod template;
pub mod test_api;
mod trouble;
mod type_program;
mod visible;
mod webhook_markers;
mod workspace;
mod yaml;

pub use error::{Error, Result};
