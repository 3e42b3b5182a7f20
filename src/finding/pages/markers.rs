//! Codes about where types stand, and about markers.

use crate::finding::page::Page;

pub(super) const PAGES: &[Page] = &[
    Page::error(
        "OP301",
        "a custom resource that is private",
        "opctl asks the compiled type for its schema, as any crate would that uses it.",
        "#[derive(CustomResource, ..)]\nstruct FooSpec { .. }",
        "#[derive(CustomResource, ..)]\npub struct FooSpec { .. }",
    ),
    Page::error(
        "OP302",
        "a custom resource that cannot be named from outside",
        "Its module is private and nothing re-exports it.",
        "mod v1; // in lib.rs, with v1::Foo",
        "pub mod v1;",
    ),
    Page::error(
        "OP303",
        "a custom resource without a schema",
        "The server refuses a CRD without one: `schema.openAPIV3Schema: Required value`.",
        "#[kube(group = \"example.com\", version = \"v1\", kind = \"Foo\", schema = \"disabled\")]",
        "#[derive(CustomResource, JsonSchema, ..)]\n#[kube(group = \"example.com\", version = \"v1\", kind = \"Foo\")]",
    ),
    Page::error(
        "OP401",
        "an RBAC marker that cannot be read",
        "What it was meant to grant would be missing from the role, and the operator would be forbidden to work.",
        "// +opctl:rbac:groups=apps,resource=deployments,verbs=get",
        "// +opctl:rbac:groups=apps,resources=deployments,verbs=get",
    ),
    Page::error(
        "OP402",
        "a finding that is allowed without a reason",
        "Whoever reads the code next has to know why it is right here.",
        "// +opctl:allow:OP152",
        "// +opctl:allow:OP152 reason=\"only users write this field\"",
    ),
    Page::error(
        "OP403",
        "something is allowed that cannot be",
        "Only warnings can be allowed, by their code: with an error the API server would refuse the CRD or lose data.",
        "// +opctl:allow:OP102 reason=\"we like tuples\"",
        "struct Port { name: String, number: u16 } // as `opctl explain OP102` says",
    ),
    Page::warning(
        "OP404",
        "something is allowed that is not there",
        "What it was about has been fixed, or has moved; left behind, it would hide the next one.",
        "// +opctl:allow:OP152 reason=\"only users write this field\"\nname: String,",
        "name: String,",
    ),
    Page::error(
        "OP405",
        "a marker that does not exist",
        "A marker of an unknown name would be passed over in silence, and what it was meant to do would not be done.",
        "// +opctl:rback:groups=apps,resources=deployments,verbs=get",
        "// +opctl:rbac:groups=apps,resources=deployments,verbs=get",
    ),
    Page::error(
        "OP406",
        "a right that a Role cannot grant",
        "In a namespaced project the manager has a Role in its own namespace. The API server takes a rule about nodes, namespaces \
         or URLs in one, and grants nothing by it.",
        "// +opctl:rbac:groups=core,resources=nodes,verbs=get;list;watch",
        "// +opctl:rbac:groups=core,resources=nodes,verbs=get;list;watch,roleName=node-reader // bound by hand",
    ),
    Page::error(
        "OP411",
        "a webhook marker that cannot be read",
        "The API server would refuse the webhook configuration, or never call the webhook.",
        "// +opctl:webhook:path=/validate-example-com-v1-foo,mutating=false,failurePolicy=fail,sideEffects=Some,\\\n\
         groups=example.com,resources=foos,verbs=creat,versions=v1,name=vfoo-v1.kb.io,admissionReviewVersions=v1",
        "// +opctl:webhook:path=/validate-example-com-v1-foo,mutating=false,failurePolicy=fail,sideEffects=None,\\\n\
         groups=example.com,resources=foos,verbs=create,versions=v1,name=vfoo-v1.kb.io,admissionReviewVersions=v1",
    ),
    Page::warning(
        "OP412",
        "a webhook under an unusual path",
        "Scaffolded webhooks are served at `/mutate-` or `/validate-`, group, version and kind; a request to another path is \
         answered with 404, and fails what it was about.",
        "path=/validate-foo,mutating=false,groups=example.com,versions=v1,resources=foos",
        "path=/validate-example-com-v1-foo,mutating=false,groups=example.com,versions=v1,resources=foos",
    ),
    Page::error(
        "OP413",
        "two webhooks of one name",
        "The server refuses them: `webhooks[1].name: Duplicate value`.",
        "name=vfoo.kb.io,versions=v1 // and, elsewhere,\nname=vfoo.kb.io,versions=v2",
        "name=vfoo-v1.kb.io,versions=v1 // and, elsewhere,\nname=vfoo-v2.kb.io,versions=v2",
    ),
    Page::error(
        "OP414",
        "a webhook configuration with two names",
        "There is one configuration of each kind, and it has one name.",
        "// +opctl:webhookconfiguration:mutating=true,name=one\n// +opctl:webhookconfiguration:mutating=true,name=two",
        "// +opctl:webhookconfiguration:mutating=true,name=one",
    ),
    Page::warning(
        "OP415",
        "a name for a webhook configuration that does not exist",
        "Without a webhook there is no configuration, so the marker does nothing.",
        "// +opctl:webhookconfiguration:mutating=true,name=one",
        "// +opctl:webhookconfiguration:mutating=false,name=one // where the webhooks are validating ones",
    ),
    Page::error(
        "OP416",
        "a webhook that the API server is never told of",
        "The manager serves it, and no configuration names it: objects are stored as if it were not there.",
        "manager.webhook(webhook::validating(validate)); // and above `validate` no marker",
        "// +opctl:webhook:path=/validate-example-com-v1-foo,mutating=false,failurePolicy=fail,sideEffects=None,\\\n\
         groups=example.com,resources=foos,verbs=create;update,versions=v1,name=vfoo-v1.kb.io,admissionReviewVersions=v1\n\
         fn validate(obj: &Foo, old: Option<&Foo>, _: &webhook::Request) -> webhook::Findings { .. }",
    ),
    Page::error(
        "OP417",
        "a version that is served, and that the conversion does not know",
        "The API server asks the operator for objects in each version that it serves, and answers with an error where the operator \
         has none.",
        "webhook::conversion().spoke::<v1alpha1::Foo>() // and the kind has v1beta1, too",
        "webhook::conversion()\n    .spoke::<v1alpha1::Foo>()\n    .spoke::<v1beta1::Foo>()",
    ),
    Page::warning(
        "OP421",
        "a right that the code needs and nothing grants",
        "The API server answers `forbidden`, and the controller does not start or fails in each pass; a watch lists first, so it \
         needs both.",
        "Controller::new(servers, config).owns(Api::<Deployment>::all(client), config)",
        "// +opctl:rbac:groups=apps,resources=deployments,verbs=list;watch\n\
         Controller::new(servers, config).owns(Api::<Deployment>::all(client), config)",
    ),
];
