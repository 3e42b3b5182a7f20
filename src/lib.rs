//! opctl: from an empty folder to a production Kubernetes operator on kube-rs. This page is the architecture.
//!
//! # The way data flows
//!
//! ```text
//! argv ─clap─▶ arguments ─▶ intent ─┐
//! PROJECT ─▶ Project ───────────────┼─▶ scaffold (pure) ─▶ operations ─┐
//! api crate ─▶ manifest ────────────┘                                  ├─▶ resolve (pure) ─▶ Plan ─▶ commit ─▶ Report
//! working tree ─▶ Snapshot ────────────────────────────────────────────┘
//! config/crd ─▶ cluster: server-side apply, wait ─▶ Report
//! ```
//!
//! [`scaffold`] turns what was asked for into [`plan::Operation`]s: files to make, lines to insert. [`plan::resolve`]
//! holds them against a [`plan::Snapshot`] of just the files they name and gives a [`plan::Plan`], the one value that
//! dry run, diff, `--check`, commit and JSON read. [`workspace`] commits it: all or nothing. [`plan::update`] makes the same value
//! of everything that `PROJECT` asks for, the snapshot, and what opctl generated before.
//!
//! # Invariants
//!
//! - **Planning is pure.** No file, process, clock, environment or terminal in `model`, `schema`, `reference`, `edit`, `plan`,
//!   `scaffold`, `template`, `html`, `finding` and `conflict`; a test looks for them.
//! - **Effects have their places.** A project's files are written by [`workspace`]. `source`, `access` and `manifest` read
//!   some, in the files that a test lists; `cli`, `cluster`, `envtest`, `exec`, `explore` and `shim` have files of their own. Programs are
//!   started by `exec`, `envtest` and three more files, which the test lists too.
//! - **A command changes everything or nothing.** Contents are staged in `.opctl/journal`, swapped in by renames, and
//!   `PROJECT` goes last. Until the journal's list is there a command can only be undone, from then on it is completed.
//! - **Running a command again changes nothing.** What is there is compared with what is wanted, by content.
//! - **A user's line is never lost** without `--force`. `.opctl/files.yaml` knows the hash of what opctl generated.
//! - **No silent skip.** An edit whose marker is missing is an error that carries the lines to paste.
//! - **Scaffolding needs nothing**: no network, git, cargo, kubectl or answer to a question.
//! - **stdout is data, stderr is conversation.** Only [`report`] writes to either.
//!
//! # Rooms
//!
//! | room | what it holds |
//! |---|---|
//! | [`cli`] | a file for each command: arguments, and the way from them to a report |
//! | [`scaffold`] | what each intent adds to a project |
//! | [`manifest`] | Rust types and markers to YAML: definitions, their checks, comparison with older ones |
//! | [`access`] | roles, the rights that the code needs, and webhooks, from markers and sources |
//! | [`shim`] | compiles the api crate's types, and asks them for their schemas |
//! | [`source`] | reads Rust sources: custom resources, markers, the lines of fields |
//! | [`schema`] | structural schemas from schemars' ones, and the server's rules for them, CEL and RE2: pure |
//! | [`reference`](mod@reference) | the reference of a project's kinds, from their definitions, as Markdown, as a page for browsers, and as JSON schemas for editors: pure |
//! | [`cluster`] | what happens in a cluster, with kube |
//! | [`envtest`] | a control plane on this machine |
//! | [`explore`] | the operator's bugs: a proxy with the faults of real clusters, runs, and what they are compared with |
//! | [`template`], [`edit`], [`plan`] | rendering, editing, deciding: pure |
//! | [`model`] | names and resources that cannot be invalid |
//! | [`workspace`], [`exec`], [`report`], `attributes`, [`yaml`], [`conflict`], [`duration`], [`error`], [`finding`], [`html`], [`system`] | leaves: files, processes, terminal, attributes of Rust items, YAML, conflict markers, durations, errors, findings with their codes, pages for browsers, and what operating systems do differently |
//!
//! A room uses those below it, never one above: `cli`, then `scaffold`, `manifest`, `cluster`, `envtest` and `explore`, then `access` and
//! `shim`, then `source`, then `template`, `edit`, `plan`, `reference` and `schema`, then `model`. Nor do files within a room form a
//! circle: what two of them need stands in a third one. Tests hold both.
//!
//! # Tests
//!
//! `testdata/golden` holds whole generated projects with the commands that make them; `testdata/earlier` holds a project of an
//! earlier opctl, with a user's edits; `testdata/operators` holds the
//! commands of five operators known from tutorials and what their users write; `testdata/cases` holds command
//! lines with what they print and leave; `testdata/manifest` holds schemas and markers with the YAML they give;
//! `testdata/corpus` holds Rust types, each for one rule, with what opctl makes of them and what a server does;
//! `testdata/conversion` holds what a user writes into two versions of a kind;
//! `testdata/certs` is a crate of somebody else's types, for controllers of them;
//! `testdata/explore` holds a plain operator and patches, each of which makes a bug of it;
//! `testdata/reference` holds the API reference of golden projects;
//! `testdata/places` holds projects whose sources name, line by line, the finding that stands there;
//! `testdata/compared` holds the same types in Rust and in Go; `testdata/definitions` holds CRDs of an operator in Go, for `opctl adopt --crds`; `testdata/demo.svg` and `testdata/finding.svg` are recorded runs of the demo; `testdata/fuzz/schema.txt` holds inputs, a line each in
//! hexadecimal digits, that `tests/fuzz/grammar.rs` spells as schemas, found by the fuzz target beside it; `testdata/orders` holds orders of events that the runtime of
//! projects once failed under, which `tests/runtime` plays to it with a model of the API server; `testdata/runtime-bugs`
//! holds patches that bring bugs of the runtime back, with the test that each has to fail. Cluster
//! tests run against a real kube-apiserver, which `opctl envtest setup` downloads or builds. `SNAPSHOTS=overwrite`
//! accepts what changed.

mod access;
mod attributes;
pub mod cli;
mod cluster;
mod conflict;
mod duration;
mod edit;
mod envtest;
mod error;
mod exec;
mod explore;
mod finding;
mod html;
mod manifest;
mod model;
pub mod parts;
mod plan;
mod reference;
mod report;
mod scaffold;
mod schema;
mod shim;
mod source;
mod system;
mod template;
mod workspace;
mod yaml;

pub use error::{Error, Result};
