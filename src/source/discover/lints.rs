//! The lints for custom resources for which opctl cannot generate a CRD.

use super::hidden::HIDDEN;
use super::modules;
use crate::finding::Lint;

pub(crate) static LINTS: &[&Lint] = &[&modules::INCOMPLETE, &PRIVATE, &UNREACHABLE, &SCHEMA_DISABLED, &HIDDEN];

pub(crate) static PRIVATE: Lint = Lint::error(
    "OP301",
    "a custom resource whose type is private",
    "opctl asks the compiled type for its schema, as any crate would that uses it.",
    "#[derive(CustomResource, ..)]\nstruct FooSpec { .. }",
    "#[derive(CustomResource, ..)]\npub struct FooSpec { .. }",
);

pub(crate) static UNREACHABLE: Lint = Lint::error(
    "OP302",
    "a custom resource whose type other crates cannot access",
    "The module of the type is private, and no module re-exports the type.",
    "mod v1; // in lib.rs, with v1::Foo",
    "pub mod v1;",
);

pub(crate) static SCHEMA_DISABLED: Lint = Lint::error(
    "OP303",
    "a custom resource without a schema",
    "The server refuses a CRD without a schema: `schema.openAPIV3Schema: Required value`.",
    "#[kube(group = \"example.com\", version = \"v1\", kind = \"Foo\", schema = \"disabled\")]",
    "#[derive(CustomResource, JsonSchema, ..)]\n#[kube(group = \"example.com\", version = \"v1\", kind = \"Foo\")]",
);
