//! Checks the names, the group, the version and the deprecation warning of a CRD by the API server's rules.

use super::about::of_type;
use crate::finding::{Finding, Lint};
use crate::kube_rs::{NAME_LISTS, SHORT_NAME};
use crate::model::{APPROVAL_ANNOTATION, Domain, is_label_text, label_1035_rule, nearest_label};
use crate::source::discover::ApiType;
use serde_json::Value;

pub(crate) static LINTS: &[&Lint] = &[&NO_LABEL, &NO_DOMAIN, &PROTECTED_GROUP, &DEPRECATION_WARNING];

pub(crate) static NO_LABEL: Lint = Lint::error(
    "OP202",
    "a name in `#[kube(..)]` that is not a DNS label",
    "plural, singular, short names, categories, versions and the kind in lower case are DNS labels: letters, digits \
     and `-`. The server says `a DNS-1035 label must consist of lower case alphanumeric characters or '-'`.",
    "#[kube(plural = \"webServers\", shortname = \"WS\")]",
    "#[kube(plural = \"webservers\", shortname = \"ws\")]",
);

pub(crate) static NO_DOMAIN: Lint = Lint::error(
    "OP203",
    "an API group that is not a domain name",
    "The server says `should be a domain with at least one dot`.",
    "#[kube(group = \"apps\")]",
    "#[kube(group = \"apps.example.com\")]",
);

pub(crate) static PROTECTED_GROUP: Lint = Lint::error(
    "OP204",
    "an API group that is reserved for Kubernetes",
    "Groups below k8s.io and kubernetes.io need the annotation `api-approved.kubernetes.io`. The server says \
     `protected groups must have approval annotation`.",
    "#[kube(group = \"things.k8s.io\")]",
    "#[kube(group = \"things.example.com\")]",
);

pub(crate) static DEPRECATION_WARNING: Lint = Lint::error(
    "OP205",
    "a deprecation warning that is empty, too long or not printable",
    "The warning is sent in an HTTP header: it must be one printable, non-empty line of at most 256 bytes. The server \
     says `must be <= 256 characters long`, `must not be an empty string` or `must only contain printable UTF-8 \
     characters`.",
    "#[kube(deprecated = \"use v2:\\nsee the guide\")]",
    "#[kube(deprecated = \"use v2, see the guide\")]",
);

pub(super) fn check(api_type: &ApiType, crd: &Value) -> Vec<Finding> {
    let mut findings = Vec::new();
    let name = &api_type.resource.root;
    let mut label = |attribute: (&str, usize), value: &str, lower: bool| {
        let text = if lower { value.to_lowercase() } else { value.to_owned() };
        // The kind of the list, `FooList`, has to fit too.
        let long = (attribute.0 == "kind" && text.len() + "List".len() > 63)
            .then_some("Kubernetes allows at most 59 characters, so that `<Kind>List` is a DNS label");
        let Some(rule) = label_rule(&text).or(long) else { return };
        let (word, nearest) = (attribute.0, nearest(value, lower));
        let reason = format!("`{name}` has the {} `{value}`, but {rule}", attribute_words(word));
        findings.push(of_type(api_type, attribute, &NO_LABEL, reason, format!("#[kube({word} = \"{nearest}\")]")));
    };
    let names = &crd["spec"]["names"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    label(("kind", 0), &text(&names["kind"]), true);
    label(("plural", 0), &text(&names["plural"]), false);
    // kube makes the singular from the kind, which is checked above.
    if text(&names["singular"]) != text(&names["kind"]).to_lowercase() {
        label(("singular", 0), &text(&names["singular"]), false);
    }
    for (key, attribute) in NAME_LISTS {
        for (index, value) in names[key].as_array().into_iter().flatten().enumerate() {
            label((attribute, index), &text(value), false);
        }
    }
    label(("version", 0), &api_type.resource.version, false);
    findings.extend(group(api_type, crd));
    findings.extend(deprecation(api_type, crd));
    findings
}

fn attribute_words(attribute: &str) -> &str {
    if attribute == SHORT_NAME { "short name" } else { attribute }
}

/// Returns the reason why `text` is not an RFC 1035 label; `None` if `text` is a valid label.
fn label_rule(text: &str) -> Option<&'static str> {
    label_1035_rule(text)?;
    if text.len() > 63 {
        return Some("Kubernetes allows at most 63 characters");
    }
    Some(
        "Kubernetes allows lower-case letters, digits and `-`, beginning with a letter and ending with a letter or digit",
    )
}

/// Returns a valid name that is similar to `value`. `keep_case` is true for the name of a kind: the result then keeps
/// its upper-case letters, and has at most 59 characters, so that `List` can be appended. Otherwise, the result is a
/// DNS label.
fn nearest(value: &str, keep_case: bool) -> String {
    let start = value.trim_start_matches(|one: char| !one.is_ascii_alphabetic());
    let text = if keep_case {
        start.chars().filter(char::is_ascii_alphanumeric).take(59).collect()
    } else {
        nearest_label(start, 63).unwrap_or_default()
    };
    if text.is_empty() { "..".to_owned() } else { text }
}

fn group(api_type: &ApiType, crd: &Value) -> Option<Finding> {
    let (name, group) = (&api_type.resource.root, api_type.resource.group.as_str());
    if group.len() > 253 || !group.contains('.') || !group.split('.').all(is_label_text) {
        let reason = format!("`{name}` has the group `{group}`, which is not a domain with at least one dot");
        let domain = if is_label_text(group) { format!("{group}.example.com") } else { "apps.example.com".to_owned() };
        return Some(of_type(api_type, ("group", 0), &NO_DOMAIN, reason, format!("#[kube(group = \"{domain}\")]")));
    }
    let approval = crd.pointer("/metadata/annotations").and_then(|annotations| annotations.get(APPROVAL_ANNOTATION));
    let approval = approval.and_then(Value::as_str).unwrap_or_default();
    let approved = approval.starts_with("unapproved")
        || approval.split_once("://").is_some_and(|(scheme, rest)| !scheme.is_empty() && !rest.is_empty());
    if Domain::check_own(group).is_err() && !approved {
        let reason = format!("`{name}` has the group `{group}`, which belongs to Kubernetes and needs an approval");
        let hint = format!(
            "use a group of your own, or\n#[kube(annotation(\"{APPROVAL_ANNOTATION}\", \"unapproved, experimental\"))]"
        );
        return Some(of_type(api_type, ("group", 0), &PROTECTED_GROUP, reason, hint));
    }
    None
}

/// Reports an invalid deprecation warning; the API server sends the warning with every answer.
fn deprecation(api_type: &ApiType, crd: &Value) -> Option<Finding> {
    let warning = crd.pointer("/spec/versions/0/deprecationWarning")?.as_str()?;
    let rule = match warning {
        "" => "is empty",
        long if long.len() > 256 => "is longer than 256 bytes",
        odd if !odd.chars().all(printable) => "contains characters that cannot be printed, such as line breaks",
        _ => return None,
    };
    let reason = format!("the deprecation warning of `{}` {rule}", api_type.resource.root);
    let hint = "#[kube(deprecated = \"one short line\")], or `deprecated` alone for the server's own words";
    Some(of_type(api_type, ("deprecated", 0), &DEPRECATION_WARNING, reason, hint))
}

/// Approximates Go's `unicode.IsPrint`, which accepts the ASCII space as the only space character. Unassigned
/// characters count as printable.
fn printable(one: char) -> bool {
    let invisible = ['\u{ad}', '\u{feff}'].contains(&one)
        || ('\u{200b}'..='\u{200f}').contains(&one)
        || ('\u{2028}'..='\u{202e}').contains(&one)
        || ('\u{2060}'..='\u{206f}').contains(&one);
    one == ' ' || !(one.is_control() || one.is_whitespace() || invisible)
}
