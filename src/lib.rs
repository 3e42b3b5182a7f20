//! opctl: from an empty folder to a production Kubernetes operator on kube-rs. This page describes the architecture.
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
//! [`scaffold`] turns the intent of a command into [`plan::Operation`]s: files to make, lines to insert.
//! [`plan::reconcile`] compares them with a [`plan::Snapshot`] of just the files that they name, and returns a
//! [`plan::Plan`], the one value that dry run, diff, `--check`, commit and JSON read. [`workspace`] commits the plan:
//! all or nothing.
//!
//! [`scaffold::generated`] renders everything that `PROJECT` asks for. An update, a deletion and a renaming reconcile the
//! snapshot with such renderings and with the hashes of what opctl generated before; one table decides about each file
//! for all commands. Where the user has edited a file, each command asks the renderings of the project before and after
//! it: lines that are in the first one were inserted earlier, and the text of the second one is the base of the next
//! merge.
//!
//! # Invariants
//!
//! - **Planning is pure.** No file, process, clock, environment or terminal in `model`, `schema`, `api_reference`, `edit`,
//!   `plan`, `scaffold`, `packaging`, `crd_to_rust`, `template`, `attributes`, `html`, `kube_rs`, `finding`, `health`,
//!   `olm`, `conflict` and `syntax`; a test looks for them.
//! - **What others wrote has limits.** Files are opened by [`reading`] alone, Rust is parsed by [`syntax`] alone: sizes
//!   and depths are limited, and nothing is waited for but what a user names. So are the answers of servers.
//! - **Effects have their places.** A project's files are written by [`workspace`]. `source`, `permissions` and `manifest`
//!   read some, in the files that a test lists; `cli`, `commands`, `cluster`, `envtest`, `exec`, `explore`, `system` and
//!   `type_program` have files of their own. Programs are started by `exec`, `envtest`, `system` and two more files, which
//!   the test lists too.
//! - **A command changes everything or nothing.** Contents are staged in `.opctl/journal`, swapped in by renames, and
//!   `PROJECT` goes last. Until the journal's list is there a command can only be undone, from then on it is completed,
//!   by the next command that writes. The list has a seal that only this user's opctl makes, and only for this folder.
//! - **A repository is hostile input.** What names a file of the project is a [`model::ProjectPath`], made only by a check;
//!   [`workspace`] looks for symlinks that lead out before a plan is made and before it is committed.
//! - **Running a command again changes nothing.** The present content is compared with the wanted one.
//! - **A user's line is never lost** without `--force`. `.opctl/files.yaml` records the hash of each file that opctl
//!   generated.
//! - **No silent skip.** An edit whose marker is missing is an error that carries the lines to paste.
//! - **Scaffolding needs nothing**: no network, git, cargo, kubectl or answer to a question.
//! - **stdout is data, stderr is conversation.** Only [`report`] writes to either.
//!
//! # Modules
//!
//! | module | contents |
//! |---|---|
//! | [`cli`] | the command line: parsing, help, completion, and the table of all commands |
//! | [`commands`] | a file or a folder for each command, with its arguments and the function that runs it and returns a report |
//! | [`scaffold`] | the operations by which each intent adds to a project |
//! | [`manifest`] | Rust types and markers to YAML: CRDs, their checks, comparison with older ones |
//! | [`permissions`] | roles from RBAC markers, and the rights that the code needs |
//! | [`webhook_markers`] | webhook configurations from markers |
//! | [`packaging`] | packages of an operator: OLM bundle, Helm chart, installer: pure |
//! | [`crd_to_rust`] | Rust types from the CRDs of others: pure |
//! | [`type_program`] | compiles the types of an api crate, and asks them for their schemas |
//! | [`source`] | reads Rust sources: custom resources, markers, the lines of fields |
//! | [`schema`] | structural schemas from schemars' ones, and the server's rules for them, CEL and RE2: pure |
//! | [`api_reference`] | the API reference of kinds, from CRDs: Markdown, HTML, JSON schemas for editors: pure |
//! | [`health`] | health checks of kinds for Argo CD and Flux: pure |
//! | [`olm`] | the Operator Lifecycle Manager: rules for bundles, and catalogs: pure |
//! | [`cluster`] | all work in a cluster, with kube |
//! | [`envtest`] | a control plane on this machine |
//! | [`explore`] | finds an operator's bugs: a proxy with the faults of real clusters, and runs that are compared |
//! | [`mod@bench`] | measures an operator with many objects, and forecasts the memory of more of them |
//! | [`mcp`] | serves the commands to coding agents, each as a process of opctl |
//! | [`template`], [`edit`], [`plan`] | rendering, editing, deciding: pure |
//! | [`model`] | names and resources that cannot be invalid |
//! | [`workspace`], [`exec`], [`report`], [`system`] | leaves: files, processes, terminal, differences of operating systems |
//! | [`reading`], [`syntax`] | leaves: files and Rust that others wrote, with limits |
//! | [`kube_rs`] | rules of kube that opctl applies without calling kube: the page for kube's next major |
//! | [`authorization`] | leaf: grants rights, and waits until they are in effect |
//! | `attributes`, [`yaml`], [`conflict`], [`duration`], `visible` | leaves: attributes of Rust items, YAML, conflict markers, durations, text of others as it is shown |
//! | [`test_api`] | re-exports for tests, benchmarks and fuzz targets; the other modules but `cli` are private |
//! | [`error`], [`finding`], [`html`] | leaves: errors, findings with their codes, pages for browsers |
//!
//! A module uses those below it, never one above: `cli`, then `commands`, then `scaffold`, `manifest`, `cluster`, `envtest`, `bench`,
//! `explore` and `mcp`, then `webhook_markers`, `permissions` and `type_program`, then `source`, then `template`, `edit`,
//! `plan`, `api_reference` and `schema`, then `model`. Nor do files within a module form a cycle, or the modules right
//! below it: code that two of them need is in a third one. A `mod.rs` that re-exports its children holds documentation,
//! `mod` lines and re-exports, and defines nothing itself. Tests check these rules.
//!
//! # Tests
//!
//! Folders below `testdata`:
//!
//! - `golden`: whole generated projects with the commands that make them
//! - `earlier`: a project of an earlier opctl, with a user's edits
//! - `operators`: the commands of five operators known from tutorials, and what their users write
//! - `cases`: command lines with what they print and leave
//! - `manifest`: schemas and markers with the YAML that they give
//! - `corpus`: Rust types, each for one rule, with what opctl makes of them and what a server does
//! - `conversion`: what a user writes into two versions of a kind
//! - `certs`: a crate with types of somebody else, for controllers of them
//! - `explore`: a plain operator, and patches that each make a bug in it
//! - `reference`: the API reference of golden projects
//! - `bundle-mutations`: a bundle for the Operator Lifecycle Manager, changes of it, and what the validators of
//!   operator-framework say about each
//! - `places`: projects whose sources name, line by line, the finding at that line
//! - `compared`: the same types in Rust and in Go
//! - `definitions`: CRDs of an operator in Go, for `opctl adopt --crds`
//! - `orders`: orders of events that the runtime of projects once failed under, which `tests/runtime` plays to it with
//!   a model of the API server
//! - `runtime-bugs`: patches that bring bugs of the runtime back, with the test that each has to fail
//!
//! The files `testdata/demo.svg` and `testdata/finding.svg` are recorded runs of the demo. `testdata/attacks.md` lists
//! attacks with the tests in which they fail, `testdata/promises.md` the promises of README with their tests.
//! `testdata/fuzz/schema.txt` holds inputs, a line each in hexadecimal digits, that `tests/fuzz/grammar.rs` spells as
//! schemas, found by the fuzz target beside it; the folders of `testdata/fuzz` hold texts for the other targets, the
//! readers of `tests/fuzz/readers.rs`.
//!
//! Cluster tests run against a real kube-apiserver, which `opctl envtest setup` downloads or builds.
//! `SNAPSHOTS=overwrite` accepts what changed.

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
