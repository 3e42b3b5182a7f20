//! Texts and names that tools may misread, for instance as YAML syntax or Helm templates.

use crate::support::Random;

const TEXTS: [&str; 44] = [
    "",
    "on",
    "Off",
    "y",
    "1e3",
    "0x1f",
    "012",
    "1_000",
    "~",
    "null",
    "true",
    "=",
    "<<",
    "- a",
    "a: b",
    "a #b",
    "? x",
    " blank before",
    "blank after ",
    "two\nlines\n",
    "two ends\n\n",
    "blanks \n at the\n  ends \n",
    "\n",
    "tab\tand\r\nreturn",
    "\u{1}\u{7}\u{1b}",
    "\u{7f}",
    "\u{85}\u{2028}\u{feff}x",
    "Größe 日本 \u{1f980}",
    "{{ .Values.none }}",
    "{{- if }}",
    "}} {{{ {{",
    "{% if %} {[ x ]} {# y #}",
    "zz-helm-action-0-",
    "zz-helm-action-1-: null",
    "<indent> <inner>",
    "%YAML 1.2\n---\n...",
    "'\"\\`$(A) ${B} $1",
    "PROJECT-system/PROJECT-cache",
    "http://PROJECT-cache.PROJECT-system.svc:80/, {PROJECT-settings.PROJECT-system.svc",
    "as system:serviceaccount:PROJECT-system:PROJECT-controller-manager, or system:serviceaccount:PROJECT-system:x",
    "PROJECT-cache",
    "/metrics",
    "a long line of many words that goes on and on and is folded by whoever writes it into a file, as it does not end: {{ and }} and so on",
    "{\"json\": [1, 2]}",
];

/// Returns a random text, which may contain the name of an object of the project.
pub(super) fn random_text(random: &mut Random, project: &str) -> String {
    let more = if random.below(5) == 0 { random.pick(&TEXTS) } else { "" };
    format!("{}{more}", random.pick(&TEXTS)).replace("PROJECT", project)
}

/// Returns a random name for an object. Several objects can get the same name, and the name can be that of an object
/// that opctl generates.
pub(super) fn random_name(random: &mut Random, project: &str) -> String {
    let name = random.pick(&[
        "cache",
        "cache",
        "settings",
        "settings",
        "controller-manager",
        "manager-role",
        "leader-election-role",
        "webhook-service",
        "webhook-server-cert",
        "cache-metrics-service",
        "shop-admin-role",
        "PROJECT",
        "PROJECT-cache",
        "web",
        "webcache",
        "x.y",
        "1e3",
        "LONG",
    ]);
    name.replace("PROJECT", project).replace("LONG", "long-".repeat(35).trim_end_matches('-'))
}

/// Returns a random name for a role or a binding, which may have characters that are not allowed in other names.
pub(super) fn random_role_name(random: &mut Random, project: &str) -> String {
    match random.below(3) {
        0 => random.pick(&["x:y", "x-y", "X:y", "_x", ".x", "system:x: y", "a b", "a\"{{b", "on:", "~"]).to_owned(),
        _ => random_name(random, project),
    }
}

pub(super) fn random_labels(random: &mut Random) -> Vec<(&'static str, String)> {
    let mut label = |key| (key, random.pick(&["", "on", "1e3", "null", "zz-helm-action-0-x", "A_b.c"]).to_owned());
    vec![label("zzzz.example.com/z"), label("app"), label("Zz")]
}
