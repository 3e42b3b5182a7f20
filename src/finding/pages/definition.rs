//! Codes about `#[kube(..)]`.

use crate::finding::page::Page;

pub(super) const PAGES: &[Page] = &[
    Page::error(
        "OP201",
        "`#[kube(..)]` lacks what every kind has",
        "group, version and kind are the identity of a kind; kube does not compile the type without them.",
        "#[kube(group = \"example.com\", kind = \"Foo\")]",
        "#[kube(group = \"example.com\", version = \"v1\", kind = \"Foo\")]",
    ),
    Page::error(
        "OP202",
        "a name that is no DNS label",
        "plural, singular, short names, categories, versions and the kind in lower case are DNS labels: letters, digits \
         and `-`. The server says `a DNS-1035 label must consist of lower case alphanumeric characters or '-'`.",
        "#[kube(plural = \"webServers\", shortname = \"WS\")]",
        "#[kube(plural = \"webservers\", shortname = \"ws\")]",
    ),
    Page::error(
        "OP203",
        "a group that is no domain",
        "The server says `should be a domain with at least one dot`.",
        "#[kube(group = \"apps\")]",
        "#[kube(group = \"apps.example.com\")]",
    ),
    Page::error(
        "OP204",
        "a group of Kubernetes itself",
        "Groups below k8s.io and kubernetes.io need the annotation `api-approved.kubernetes.io`. The server says \
         `protected groups must have approval annotation`.",
        "#[kube(group = \"things.k8s.io\")]",
        "#[kube(group = \"things.example.com\")]",
    ),
    Page::error(
        "OP205",
        "a deprecation warning that cannot be sent",
        "It travels in an HTTP header: at most 256 bytes, one printable line, not empty. The server says `must be <= 256 \
         characters long`, `must not be an empty string` or `must only contain printable UTF-8 characters`.",
        "#[kube(deprecated = \"use v2:\\nsee the guide\")]",
        "#[kube(deprecated = \"use v2, see the guide\")]",
    ),
    Page::error(
        "OP206",
        "a printer column of an unknown type or format",
        "The server says `must be one of boolean,date,integer,number,string`.",
        "#[kube(printcolumn(name = \"Size\", type_ = \"int\", json_path = \".spec.size\"))]",
        "#[kube(printcolumn(name = \"Size\", type_ = \"integer\", json_path = \".spec.size\"))]",
    ),
    Page::error(
        "OP207",
        "a printer column whose path cannot be read",
        "Without the leading dot the server says `must be a simple json path starting with .`. With a bracket that is not \
         closed it takes the path, and drops the column without a word.",
        "#[kube(printcolumn(name = \"Size\", type_ = \"integer\", json_path = \"spec.size\"))]",
        "#[kube(printcolumn(name = \"Size\", type_ = \"integer\", json_path = \".spec.size\"))]",
    ),
    Page::error(
        "OP208",
        "a printer column that shows nothing",
        "The server takes it, and the column stays empty forever: no object can have the field, since what the schema does \
         not name is pruned.",
        "#[kube(printcolumn(name = \"Size\", type_ = \"integer\", json_path = \".spec.sise\"))]",
        "#[kube(printcolumn(name = \"Size\", type_ = \"integer\", json_path = \".spec.size\"))]",
    ),
    Page::error(
        "OP209",
        "a scale subresource without a status",
        "kube drops `scale(..)` silently where there is no status, and `kubectl scale` does not work.",
        "#[kube(scale(spec_replicas_path = \".spec.replicas\", status_replicas_path = \".status.replicas\"))]",
        "#[kube(status = \"FooStatus\",\n    scale(spec_replicas_path = \".spec.replicas\", status_replicas_path = \
         \".status.replicas\"))]",
    ),
    Page::error(
        "OP210",
        "a scale subresource that looks in the wrong place",
        "The server says `should be a json path under .spec`, `.status`, or either of both.",
        "#[kube(scale(spec_replicas_path = \"spec.replicas\", ..))]",
        "#[kube(scale(spec_replicas_path = \".spec.replicas\", ..))]",
    ),
    Page::error(
        "OP211",
        "a scale subresource of a field that is not there",
        "The server takes it, and `kubectl scale` and every autoscaler fail: what they write is pruned, or is of the wrong \
         type.",
        "#[kube(scale(spec_replicas_path = \".spec.replica\", ..))] // struct FooSpec { replicas: i32 }",
        "#[kube(scale(spec_replicas_path = \".spec.replicas\", ..))]",
    ),
    Page::error(
        "OP212",
        "a selectable field whose path is not allowed",
        "The server says `is an invalid path: expected [ or .`, `array notation is not allowed`, `must not point to fields \
         in metadata`, `Duplicate value`, or that there are more than 8.",
        "#[kube(selectable = \"spec.color\")]",
        "#[kube(selectable = \".spec.color\")]",
    ),
    Page::error(
        "OP213",
        "a selectable field that cannot be selected by",
        "The server says `does not refer to a valid field` or `must point to a field of type string, boolean or integer`.",
        "#[kube(selectable = \".spec.colors\")] // struct FooSpec { colors: Vec<String> }",
        "#[kube(selectable = \".spec.color\")] // struct FooSpec { color: String }",
    ),
    Page::error(
        "OP214",
        "two types for one version of a kind",
        "The server says `must contain unique version names`.",
        "#[kube(group = \"example.com\", version = \"v1\", kind = \"Foo\")] // twice",
        "#[kube(group = \"example.com\", version = \"v2\", kind = \"Foo\")] // the second time",
    ),
    Page::error(
        "OP215",
        "versions that disagree about plural, singular or scope",
        "All versions of a kind are one CRD, which has these once.",
        "#[kube(version = \"v1\", kind = \"Foo\", namespaced)]\n#[kube(version = \"v2\", kind = \"Foo\")]",
        "#[kube(version = \"v1\", kind = \"Foo\", namespaced)]\n#[kube(version = \"v2\", kind = \"Foo\", namespaced)]",
    ),
    Page::error(
        "OP216",
        "no version is stored",
        "The server says `must have exactly one version marked as storage version`.",
        "#[kube(version = \"v1\", kind = \"Foo\", storage = false)] // the only version",
        "#[kube(version = \"v1\", kind = \"Foo\")]",
    ),
    Page::error(
        "OP217",
        "several versions are stored",
        "The server says `must have exactly one version marked as storage version`; kube marks each one unless told \
         otherwise.",
        "#[kube(version = \"v1\", kind = \"Foo\")]\n#[kube(version = \"v2\", kind = \"Foo\")]",
        "#[kube(version = \"v1\", kind = \"Foo\", storage = false)]\n#[kube(version = \"v2\", kind = \"Foo\")]",
    ),
    Page::error(
        "OP218",
        "two kinds of one plural",
        "A CRD is called `<plural>.<group>`, so the second would replace the first.",
        "#[kube(group = \"example.com\", kind = \"Datum\", plural = \"data\")]\n\
         #[kube(group = \"example.com\", kind = \"Data\", plural = \"data\")]",
        "#[kube(group = \"example.com\", kind = \"Data\", plural = \"datasets\")]",
    ),
    Page::warning(
        "OP251",
        "a printer column of another type than its field",
        "The server takes it, and prints nothing: a string is not shown in a column of integers.",
        "#[kube(printcolumn(name = \"Size\", type_ = \"integer\", json_path = \".spec.size\"))] // size: String",
        "#[kube(printcolumn(name = \"Size\", type_ = \"string\", json_path = \".spec.size\"))]",
    ),
];
