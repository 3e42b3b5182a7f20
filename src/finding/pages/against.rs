//! Codes about older definitions: `opctl manifests --against`.

use crate::finding::page::Page;

pub(super) const PAGES: &[Page] = &[
    Page::error(
        "OP601",
        "a definition that is gone",
        "When the definition leaves a cluster, all objects of its kind leave with it.",
        "// the type `WebServer` is removed",
        "#[kube(group = \"example.com\", version = \"v1\", kind = \"WebServer\", deprecated = \"use Site\")]",
    ),
    Page::error(
        "OP602",
        "another scope, plural, kind or group",
        "The server refuses it on a definition that is there, or it is another API whose objects begin at none.",
        "#[kube(.., kind = \"WebServer\", plural = \"sites\", namespaced)] // it was `webservers`",
        "#[kube(.., kind = \"WebServer\", plural = \"webservers\", namespaced)]",
    ),
    Page::error(
        "OP603",
        "a version that is gone",
        "Manifests and clients that name it are answered with 404.",
        "#[kube(.., version = \"v1\")] // and v1beta1 is removed",
        "#[kube(.., version = \"v1beta1\", storage = false, deprecated = \"use v1\")] // beside v1",
    ),
    Page::error(
        "OP604",
        "a version that is gone while objects are stored as it",
        "The server refuses the definition: `status.storedVersions[0]: Invalid value: must appear in spec.versions`.",
        "#[kube(.., version = \"v1\")] // and v1beta1 is removed",
        "#[kube(.., version = \"v1beta1\", storage = false, served = false)] // until `opctl migrate` is done",
    ),
    Page::error(
        "OP605",
        "a version that is not served any more",
        "Manifests and clients that name it are answered with 404.",
        "#[kube(.., version = \"v1beta1\", served = false)]",
        "#[kube(.., version = \"v1beta1\", deprecated = \"use v1\")]",
    ),
    Page::warning(
        "OP606",
        "another storage version",
        "It is right when both versions are served and convert without loss; objects stay as they are stored until they are \
         written again, so the version before has to stay until then.",
        "#[kube(.., version = \"v1\")] // and v1beta1, which was stored, has `storage = false`",
        "#[kube(.., version = \"v1\", storage = false)] // until every cluster serves v1",
    ),
    Page::error(
        "OP607",
        "a subresource or a field selector that is gone",
        "Requests to it are answered with 404, and an autoscaler or a controller that needs it stops.",
        "#[kube(..)] // without `status`, `scale` or `selectable`",
        "#[kube(.., status = \"WebServerStatus\", scale(..), selectable = \".spec.image\")]",
    ),
    Page::error(
        "OP611",
        "a field that is gone",
        "Objects keep it in the store and lose it with the next write; strict clients are refused.",
        "pub struct WebServerSpec { pub image: String } // it had `port`",
        "pub struct WebServerSpec { pub image: String, /** Deprecated: not used. */ pub port: Option<u16> }",
    ),
    Page::error(
        "OP612",
        "a field that is required, and was not",
        "Objects that are there lack it: their next write is refused, also that of a status by your own controller.",
        "pub port: u16, // new",
        "#[serde(default = \"default_port\")]\npub port: u16,",
    ),
    Page::error(
        "OP613",
        "a value that was allowed and is not",
        "Objects that are there may hold one: creating them from their manifests again is refused, and so is a write that \
         touches the field.",
        "#[schemars(range(min = 1024))]\npub port: u16, // it was `min = 1`",
        "#[schemars(range(min = 1))]\npub port: u16,",
    ),
    Page::error(
        "OP614",
        "a field of another type",
        "Objects that are there do not deserialize any more, and their manifests are refused.",
        "pub port: String, // it was `u16`",
        "pub port: u16,\npub port_name: Option<String>,",
    ),
    Page::error(
        "OP615",
        "a field that must not be null any more",
        "Objects that hold a null there are refused.",
        "pub port: u16, // it was `Option<u16>`",
        "pub port: Option<u16>,",
    ),
    Page::error(
        "OP616",
        "a list or a map that merges in another way",
        "Who owns an entry is recorded by list type and keys: server-side apply fails on objects that are there, or drops \
         entries, and entries that are doubled are refused.",
        "#[x_kube(merge_strategy = ListMerge::Map(vec![\"name\".into()]))] // it was atomic\npub ports: Vec<Port>,",
        "pub ports: Vec<Port>,",
    ),
    Page::warning(
        "OP617",
        "another default",
        "Objects that leave the field out mean something else from then on.",
        "#[serde(default = \"two\")]\npub replicas: u32, // it was one",
        "#[serde(default = \"one\")]\npub replicas: u32,",
    ),
    Page::error(
        "OP618",
        "unknown keys that are not kept any more",
        "Objects lose them with their next write, without a word.",
        "pub settings: Settings, // it was `serde_json::Value`",
        "pub settings: serde_json::Value,",
    ),
    Page::warning(
        "OP619",
        "another combination of schemas",
        "Whether `oneOf` and its like allow less than before cannot be told by comparing them.",
        "#[serde(untagged)]\nenum Size { Small { a: u8 }, Large { b: u8 } } // another variant than before",
        "// +opctl:allow:OP619 reason=\"what was allowed still is\"",
    ),
    Page::error(
        "OP620",
        "a stored version that loses fields",
        "Objects are kept in one version. Without a conversion webhook the server drops what that version does not name when an \
         object is written next, through whatever version; a field of another type cannot be read or written any more. It is \
         said by a plain `opctl manifests` too, against the definition that it wrote before, and `opctl install` refuses it \
         against the one in the cluster.",
        "#[kube(.., version = \"v1\")] // stored, and v1alpha1 was\npub struct DiskSpec {} // v1alpha1 has `size`",
        "#[kube(.., version = \"v1\")]\npub struct DiskSpec { pub size: i32 }\n\n\
         // +opctl:allow:OP620 reason=\"nobody has set `size`\"\n#[kube(.., version = \"v1\")]\npub struct DiskSpec {}",
    ),
];
