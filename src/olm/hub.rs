//! Checks the data that catalogs show: the rules of OperatorHub.io, and the standard capabilities and categories.

use super::field_types::tolerant_version;
use super::manifest::{Manifest, annotations, text};
use super::service_version::VERSION;
use crate::finding::{Finding, Lint};
use percent_encoding::percent_decode_str;
use semver::Version;

pub(super) static LINTS: &[&Lint] = &[&PROVIDER, &MAINTAINER, &LINK, &ICON, &NO_ICON, &CAPABILITIES, &CATEGORY];

pub(super) static PROVIDER: Lint = Lint::error(
    "OP751",
    "a ClusterServiceVersion without a provider",
    "Catalogs show who provides an operator. OLM tools report `csv.Spec.Provider.Name not specified`.",
    "spec: {displayName: Web}",
    "spec: {displayName: Web, provider: {name: Example Inc.}}",
);

pub(super) static MAINTAINER: Lint = Lint::error(
    "OP752",
    "a maintainer without a name, or without a valid email address",
    "Each maintainer has a name and an email address.",
    "maintainers: [{name: Ada, email: ada at example}]",
    "maintainers: [{name: Ada, email: ada@example.com}]",
);

pub(super) static LINK: Lint = Lint::error(
    "OP753",
    "a link without a name, or without a valid URL",
    "Each link needs a name and a complete URL.",
    "links: [{name: Documentation, url: example.com/docs}]",
    "links: [{name: Documentation, url: \"https://example.com/docs\"}]",
);

pub(super) static ICON: Lint = Lint::error(
    "OP754",
    "an operator icon that catalogs do not show",
    "A catalog shows one icon, of the type `image/gif`, `image/jpeg`, `image/png` or `image/svg+xml`.",
    "icon: [{base64data: PHN2Zy8+, mediatype: svg}]",
    "icon: [{base64data: PHN2Zy8+, mediatype: image/svg+xml}]",
);

pub(super) static NO_ICON: Lint = Lint::warning(
    "OP755",
    "a ClusterServiceVersion without an icon",
    "Catalogs show an empty place instead of the operator's icon.",
    "spec: {displayName: Web}",
    "spec: {displayName: Web, icon: [{base64data: PHN2Zy8+, mediatype: image/svg+xml}]}",
);

pub(super) static CAPABILITIES: Lint = Lint::error(
    "OP756",
    "an unknown capability level in the annotation `capabilities`",
    "The annotation `capabilities` is `Basic Install`, `Seamless Upgrades`, `Full Lifecycle`, `Deep Insights` or \
     `Auto Pilot`.",
    "annotations: {capabilities: Everything}",
    "annotations: {capabilities: Basic Install}",
);

pub(super) static CATEGORY: Lint = Lint::error(
    "OP757",
    "an unknown category in the annotation `categories`",
    "The annotation `categories` is a comma-separated list of these categories: AI/Machine Learning, Application \
     Runtime, Big Data, Cloud Provider, Database, Developer Tools, Integration & Delivery, Logging & Tracing, \
     Modernization & Migration, Monitoring, Networking, Observability, OpenShift Optional, Security, Storage, \
     Streaming & Messaging.",
    "annotations: {categories: Webservers}",
    "annotations: {categories: \"Networking, Storage\"}",
);

const LEVELS: [&str; 5] = ["Basic Install", "Seamless Upgrades", "Full Lifecycle", "Deep Insights", "Auto Pilot"];

const CATEGORIES: [&str; 16] = [
    "AI/Machine Learning",
    "Application Runtime",
    "Big Data",
    "Cloud Provider",
    "Database",
    "Developer Tools",
    "Integration & Delivery",
    "Logging & Tracing",
    "Modernization & Migration",
    "Monitoring",
    "Networking",
    "Observability",
    "OpenShift Optional",
    "Security",
    "Storage",
    "Streaming & Messaging",
];

pub(super) fn check(version: &Manifest) -> Vec<Finding> {
    let mut findings = Vec::new();
    if version.text_at("/spec/provider/name").trim().is_empty() {
        let reason = "the ClusterServiceVersion has no `provider.name`";
        findings.push(version.finding(&PROVIDER, "/spec/provider", reason, "provider: {name: Example Inc.}"));
    }
    if tolerant_version(version.text_at("/spec/version")).is_none_or(|version| version == Version::new(0, 0, 0)) {
        let reason = "the `version` of the ClusterServiceVersion is missing or `0.0.0`, which counts as missing";
        findings.push(version.finding(&VERSION, "/spec/version", reason, "version: 0.1.0"));
    }
    findings.extend(people(version));
    findings.extend(links(version));
    findings.extend(icons(version));
    let known = |name: &str| annotations(&version.value).find(|(other, _)| *other == name).map(|(_, value)| value);
    if let Some(level) = known("capabilities").filter(|level| !LEVELS.contains(level)) {
        let reason = format!("the annotation `capabilities` is `{level}`, which is not a capability level");
        findings.push(version.finding(
            &CAPABILITIES,
            "/metadata/annotations/capabilities",
            reason,
            "capabilities: Basic Install",
        ));
    }
    let categories = known("categories").into_iter().flat_map(|all| all.split(',')).map(str::trim);
    for category in categories.filter(|category| !CATEGORIES.contains(category)) {
        let reason = format!("the annotation `categories` has `{category}`, which is not a standard category");
        let hint = "opctl explain OP757    # lists them";
        findings.push(version.finding(&CATEGORY, "/metadata/annotations/categories", reason, hint));
    }
    findings
}

fn people(version: &Manifest) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, person) in version.list("/spec/maintainers").iter().enumerate() {
        let (name, email) = (text(person, "/name"), text(person, "/email"));
        let reason = if name.is_empty() || email.is_empty() {
            format!("the maintainer `{name}` lacks a name or an email address")
        } else if !is_address(email) {
            format!("the maintainer `{name}` has `{email}`, which is not an email address")
        } else {
            continue;
        };
        let place = format!("/spec/maintainers/{index}");
        findings.push(version.finding(&MAINTAINER, &place, reason, "- {name: Ada, email: ada@example.com}"));
    }
    findings
}

/// Returns true for an email address that Go's `net/mail` accepts in practice: `name@domain`, or `Words <name@domain>`.
fn is_address(text: &str) -> bool {
    let text = text.trim();
    let address = match text.rsplit_once('<') {
        Some((_, address)) => match address.strip_suffix('>') {
            Some(address) => address,
            None => return false,
        },
        None => text,
    };
    let is_atom = |atom: &str| {
        !atom.is_empty()
            && atom.chars().all(|one| one.is_alphanumeric() || !one.is_ascii() || "!#$%&'*+-/=?^_`{|}~".contains(one))
    };
    let is_dotted = |text: &str| text.split('.').all(is_atom);
    address.rsplit_once('@').is_some_and(|(name, domain)| {
        let is_quoted = name.len() > 2 && name.starts_with('"') && name.ends_with('"');
        (is_dotted(name) || is_quoted) && is_dotted(domain)
    })
}

fn links(version: &Manifest) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, link) in version.list("/spec/links").iter().enumerate() {
        let (name, url) = (text(link, "/name"), text(link, "/url"));
        let reason = if name.is_empty() || url.is_empty() {
            format!("the link `{name}` lacks a name or a URL")
        } else if !is_url(url) {
            format!("the link `{name}` leads to `{url}`, which is not a URL")
        } else {
            continue;
        };
        let place = format!("/spec/links/{index}");
        findings.push(version.finding(&LINK, &place, reason, "- {name: Documentation, url: https://example.com}"));
    }
    findings
}

/// Returns true for a URL that Go's `url.ParseRequestURI` accepts: a URL with a scheme, or a path that begins with `/`.
fn is_url(url: &str) -> bool {
    let has_scheme = url.split_once(':').is_some_and(|(scheme, rest)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|one| one.is_ascii_alphanumeric() || "+-.".contains(one))
            && !rest.is_empty()
            && !rest.split(['/', '?', '#']).nth(2).is_some_and(|host| rest.starts_with("//") && host.contains(' '))
    });
    let is_clean = !url.chars().any(|one| one.is_ascii_control()) && percent_decode_str(url).decode_utf8().is_ok();
    (has_scheme || url.starts_with('/')) && is_clean
}

fn icons(version: &Manifest) -> Vec<Finding> {
    const PLACE: &str = "/spec/icon";
    let Some(icons) = version.value.pointer(PLACE).and_then(serde_json::Value::as_array) else {
        let reason = "the ClusterServiceVersion has no `icon`";
        let hint = "icon: [{base64data: .., mediatype: image/svg+xml}]";
        return vec![version.finding(&NO_ICON, "/spec", reason, hint)];
    };
    let mut reasons = Vec::new();
    if icons.len() != 1 {
        reasons.push(format!("the ClusterServiceVersion has {} icons, but catalogs show exactly one", icons.len()));
    }
    if let Some(icon) = icons.first() {
        let of = text(icon, "/mediatype");
        if of.is_empty() || text(icon, "/base64data").is_empty() {
            reasons.push("the icon lacks its `base64data` or its `mediatype`".to_owned());
        }
        if !of.is_empty() && !["image/gif", "image/jpeg", "image/png", "image/svg+xml"].contains(&of) {
            reasons.push(format!("the icon has the mediatype `{of}`, which catalogs do not show"));
        }
    }
    let finding = |reason| version.finding(&ICON, PLACE, reason, "mediatype: image/svg+xml");
    reasons.into_iter().map(finding).collect()
}
