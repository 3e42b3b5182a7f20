//! The lints for webhook markers.

use super::{converted, served};
use crate::finding::Lint;

pub(crate) static LINTS: &[&Lint] = &[
    &UNREADABLE_WEBHOOK,
    &UNUSUAL_PATH,
    &SAME_NAME,
    &TWO_NAMES,
    &UNUSED_NAME,
    &served::UNMARKED,
    &converted::UNCONVERTED,
];

pub(crate) static UNREADABLE_WEBHOOK: Lint = Lint::error(
    "OP411",
    "an invalid webhook marker",
    "The API server would refuse the webhook configuration, or never call the webhook.",
    "// +opctl:webhook:..,sideEffects=Some,verbs=creat,..",
    "// +opctl:webhook:..,sideEffects=None,verbs=create,..",
);

pub(crate) static UNUSUAL_PATH: Lint = Lint::warning(
    "OP412",
    "a webhook marker with an unusual path",
    "Scaffolded webhooks are served at `/mutate-` or `/validate-`, followed by group, version and kind; a request to \
     another path is answered with 404, which fails the API request that triggered it.",
    "path=/validate-foo,mutating=false,groups=example.com,versions=v1,resources=foos",
    "path=/validate-example-com-v1-foo,mutating=false,groups=example.com,versions=v1,resources=foos",
);

pub(crate) static SAME_NAME: Lint = Lint::error(
    "OP413",
    "two webhooks with the same name",
    "The API server refuses webhooks with the same name: `webhooks[1].name: Duplicate value`.",
    "name=vfoo.kb.io,versions=v1 // and, elsewhere,\nname=vfoo.kb.io,versions=v2",
    "name=vfoo-v1.kb.io,versions=v1 // and, elsewhere,\nname=vfoo-v2.kb.io,versions=v2",
);

pub(crate) static TWO_NAMES: Lint = Lint::error(
    "OP414",
    "a webhook configuration that gets two names from markers",
    "There is one configuration for mutating webhooks and one for validating webhooks, and each has one name.",
    "// +opctl:webhookconfiguration:mutating=true,name=one\n// +opctl:webhookconfiguration:mutating=true,name=two",
    "// +opctl:webhookconfiguration:mutating=true,name=one",
);

pub(crate) static UNUSED_NAME: Lint = Lint::warning(
    "OP415",
    "a marker that names a webhook configuration without webhooks",
    "Without a webhook there is no configuration, so the marker does nothing.",
    "// +opctl:webhookconfiguration:mutating=true,name=one",
    "// +opctl:webhookconfiguration:mutating=false,name=one // where the webhooks are validating ones",
);
