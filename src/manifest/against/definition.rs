//! Compares the names, scope, versions, subresources and selectable fields of two CRDs, but not their schemas.

use super::schema;
use super::subject::Subject;
use crate::finding::Lint;
use crate::model::{self, stored_version};
use serde_json::Value;

pub(crate) static LINTS: &[&Lint] = &[
    &OTHER_NAMES,
    &GONE_VERSION,
    &GONE_STORED_VERSION,
    &UNSERVED_VERSION,
    &OTHER_STORAGE_VERSION,
    &GONE_SUBRESOURCE,
    &LOSS,
];

pub(crate) static OTHER_NAMES: Lint = Lint::error(
    "OP602",
    "a CRD with a changed scope, plural, kind or group",
    "The server refuses to change the scope or kind of an existing CRD; a different group or plural creates a new \
     CRD, without objects.",
    "#[kube(.., kind = \"WebServer\", plural = \"sites\", namespaced)] // it was `webservers`",
    "#[kube(.., kind = \"WebServer\", plural = \"webservers\", namespaced)]",
);

pub(crate) static GONE_VERSION: Lint = Lint::error(
    "OP603",
    "a CRD version that was removed",
    "For manifests and clients that still use the version, the server returns 404.",
    "#[kube(.., version = \"v1\")] // and v1beta1 is removed",
    "#[kube(.., version = \"v1beta1\", storage = false, deprecated = \"use v1\")] // beside v1",
);

pub(crate) static GONE_STORED_VERSION: Lint = Lint::error(
    "OP604",
    "a removed CRD version in which objects are still stored",
    "The server refuses the CRD: `status.storedVersions[0]: Invalid value: must appear in spec.versions`.",
    "#[kube(.., version = \"v1\")] // and v1beta1 is removed",
    "#[kube(.., version = \"v1beta1\", storage = false, served = false)] // until `opctl migrate` is done",
);

pub(crate) static UNSERVED_VERSION: Lint = Lint::error(
    "OP605",
    "a CRD version that is no longer served",
    "For manifests and clients that still use the version, the server returns 404.",
    "#[kube(.., version = \"v1beta1\", served = false)]",
    "#[kube(.., version = \"v1beta1\", deprecated = \"use v1\")]",
);

pub(crate) static OTHER_STORAGE_VERSION: Lint = Lint::warning(
    "OP606",
    "a CRD whose storage version has changed",
    "The change is safe if both versions are served and convert without loss. Objects keep their stored version until \
     they are written again, so the previous storage version must be kept until then.",
    "#[kube(.., version = \"v1\")] // and v1beta1, which was stored, has `storage = false`",
    "#[kube(.., version = \"v1\", storage = false)] // until every cluster serves v1",
);

pub(crate) static GONE_SUBRESOURCE: Lint = Lint::error(
    "OP607",
    "a removed or changed subresource or selectable field",
    "Requests for the subresource get a 404 answer, selectors on the field fail, and an autoscaler or a controller \
     that needs them stops working.",
    "#[kube(..)] // without `status`, `scale` or `selectable`",
    "#[kube(.., status = \"WebServerStatus\", scale(..), selectable = \".spec.image\")]",
);

pub(crate) static LOSS: Lint = Lint::error(
    "OP620",
    "a storage version that loses fields of stored objects",
    "The server stores each object in one version. Without a conversion webhook, the next write of an object, through \
     any version, drops the fields that the storage version does not have; a field whose type has changed can no \
     longer be read or written. `opctl manifests` without `--against` also reports this, against the CRD that it \
     wrote before, and `opctl install` refuses it, against the CRD in the cluster.",
    "#[kube(.., version = \"v1\")] // stored, and v1alpha1 was\npub struct DiskSpec {} // v1alpha1 has `size`",
    "#[kube(.., version = \"v1\")]\npub struct DiskSpec { pub size: i32 }\n\n\
     // +opctl:allow:OP620 reason=\"nobody has set `size`\"\n#[kube(.., version = \"v1\")]\npub struct DiskSpec {}",
);

pub(super) fn compare(subject: &mut Subject<'_>, old: &Value, new: &Value) {
    names(subject, old, new);
    let stored: Vec<&str> = list(old, "/status/storedVersions").filter_map(Value::as_str).collect();
    for old_version in list(old, "/spec/versions") {
        let name = old_version["name"].as_str().unwrap_or_default();
        subject.at_version(Some(name));
        match list(new, "/spec/versions").find(|version| version["name"] == name) {
            Some(new_version) => version(subject, name, old_version, new_version),
            None => report_removed_version(subject, name, old_version, stored.contains(&name)),
        }
    }
    if let (Some(before), Some(after)) = (stored_version(old), stored_version(new)) {
        let there = list(new, "/spec/versions").any(|version| version["name"] == before);
        if before != after && there {
            subject.at_version(Some(after));
            let reason = format!("the storage version of `{}` is {after}, but was {before}", subject.kind);
            let hint = format!(
                "keep serving {before} until `opctl migrate {}` has stored every object in {after}",
                subject.kind
            );
            subject.say_at(&OTHER_STORAGE_VERSION, "storage", reason, hint);
        }
    }
    storage_loss(subject, old, new);
}

pub(super) fn storage_loss(subject: &mut Subject<'_>, old: &Value, new: &Value) {
    let Some(loss) = model::storage_loss(old, new) else { return };
    subject.at_version(Some(&loss.to));
    let reason = format!("`{}`: {}", subject.kind, loss.reason());
    let hint = format!(
        "also add the fields to {to}; or convert between the versions (`opctl create webhook --conversion`); or write \
         above the struct of {to}:\n// +opctl:allow:OP620 reason=\"why nothing is lost\"",
        to = loss.to
    );
    subject.say(&LOSS, None, reason, hint);
    if let (Some(finding), Some(field)) = (subject.findings.last_mut(), loss.fields.first()) {
        finding.path = Some(format!(".{}", field.path()));
    }
}

fn names(subject: &mut Subject<'_>, old: &Value, new: &Value) {
    for (pointer, what, attribute) in [
        ("/spec/scope", "scope", "namespaced"),
        ("/spec/names/plural", "plural", "plural"),
        ("/spec/names/kind", "kind", "kind"),
        ("/spec/group", "group", "group"),
    ] {
        let (before, after) = (text(old, pointer), text(new, pointer));
        if !before.is_empty() && before != after {
            let reason = format!("the {what} of `{}` is `{after}`, but was `{before}`", subject.definition);
            let hint = format!(
                "keep the {what} `{before}`: any other value makes it a different API, to which objects must be \
                 migrated"
            );
            subject.say_at(&OTHER_NAMES, attribute, reason, hint);
        }
    }
}

fn report_removed_version(subject: &mut Subject<'_>, name: &str, old: &Value, stored: bool) {
    if stored {
        let reason = format!("the version {name} of `{}` is removed, but objects are still stored in it", subject.kind);
        let hint = format!(
            "keep {name} with `served = false` until `opctl migrate {}` has stored every object in another version",
            subject.kind
        );
        subject.say(&GONE_STORED_VERSION, None, reason, hint);
    } else {
        let served = if old["served"] == true { "" } else { " (it was not served)" };
        let reason = format!("the version {name} of `{}` is removed{served}", subject.kind);
        let hint = format!("keep {name} with `deprecated` until no client uses it and no object is stored in it");
        subject.say(&GONE_VERSION, None, reason, hint);
    }
}

fn version(subject: &mut Subject<'_>, name: &str, old: &Value, new: &Value) {
    if old["served"] == true && new["served"] == false {
        let reason = format!("the version {name} of `{}` is no longer served", subject.kind);
        subject.say_at(
            &UNSERVED_VERSION,
            "served",
            reason,
            "keep serving the version, with `deprecated`, until no client uses it",
        );
    }
    for subresource in ["status", "scale"] {
        let has = |version: &Value| version["subresources"].get(subresource).is_some();
        if has(old) && !has(new) {
            let reason = format!("`{}` {name} no longer has the subresource `{subresource}`", subject.kind);
            subject.say(&GONE_SUBRESOURCE, None, reason, format!("keep `{subresource}` in `#[kube(..)]`"));
        }
    }
    for path in ["specReplicasPath", "statusReplicasPath", "labelSelectorPath"] {
        let of = |version: &Value| version["subresources"]["scale"][path].as_str().map(str::to_owned);
        if let (Some(before), Some(after)) = (of(old), of(new))
            && before != after
        {
            let reason = format!("the `{path}` of `{}` {name} is `{after}`, but was `{before}`", subject.kind);
            subject.say(&GONE_SUBRESOURCE, None, reason, format!("keep `{before}`: autoscalers read and write it"));
        }
    }
    let selectable = |version: &'_ Value| -> Vec<String> {
        list(version, "/selectableFields").filter_map(|field| field["jsonPath"].as_str()).map(str::to_owned).collect()
    };
    let kept = selectable(new);
    for path in selectable(old).into_iter().filter(|path| !kept.contains(path)) {
        let reason = format!("`{}` {name} can no longer be selected by `{path}`", subject.kind);
        subject.say(&GONE_SUBRESOURCE, None, reason, format!("keep `selectable = \"{path}\"` in `#[kube(..)]`"));
    }
    let schema = |version: &'_ Value| version.pointer("/schema/openAPIV3Schema").cloned().unwrap_or_default();
    schema::compare(subject, "", &schema(old), &schema(new));
}

fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

fn list<'a>(value: &'a Value, pointer: &str) -> impl Iterator<Item = &'a Value> {
    value.pointer(pointer).and_then(Value::as_array).into_iter().flatten()
}
