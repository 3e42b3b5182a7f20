//! Codes about where types stand, and about markers.

use super::{Page, error, warning};

pub(super) const PAGES: &[Page] = &[
    error(
        "OP301",
        "a custom resource that is private",
        "opctl asks the compiled type for its schema, as any crate would that uses it.",
        "#[derive(CustomResource, ..)]\nstruct FooSpec { .. }",
        "#[derive(CustomResource, ..)]\npub struct FooSpec { .. }",
    ),
    error(
        "OP302",
        "a custom resource that cannot be named from outside",
        "Its module is private and nothing re-exports it.",
        "mod v1; // in lib.rs, with v1::Foo",
        "pub mod v1;",
    ),
    error(
        "OP303",
        "a custom resource without a schema",
        "The server refuses a CRD without one: `schema.openAPIV3Schema: Required value`.",
        "#[kube(group = \"example.com\", version = \"v1\", kind = \"Foo\", schema = \"disabled\")]",
        "#[derive(CustomResource, JsonSchema, ..)]\n#[kube(group = \"example.com\", version = \"v1\", kind = \"Foo\")]",
    ),
    error(
        "OP401",
        "an RBAC marker that cannot be read",
        "What it was meant to grant would be missing from the role, and the operator would be forbidden to work.",
        "// +opctl:rbac:groups=apps,resource=deployments,verbs=get",
        "// +opctl:rbac:groups=apps,resources=deployments,verbs=get",
    ),
    error(
        "OP402",
        "a finding that is allowed without a reason",
        "Whoever reads the code next has to know why it is right here.",
        "// +opctl:allow:OP152",
        "// +opctl:allow:OP152 reason=\"only users write this field\"",
    ),
    error(
        "OP403",
        "something is allowed that cannot be",
        "Only warnings can be allowed, by their code: with an error the API server would refuse the CRD or lose data.",
        "// +opctl:allow:OP102 reason=\"we like tuples\"",
        "struct Port { name: String, number: u16 } // as `opctl explain OP102` says",
    ),
    warning(
        "OP404",
        "something is allowed that is not there",
        "What it was about has been mended, or has moved; left behind, it would hide the next one.",
        "// +opctl:allow:OP152 reason=\"only users write this field\"\nname: String,",
        "name: String,",
    ),
];
