//! Foreign text on a terminal: it cannot control the terminal, hide characters, or look like a line of opctl.

use crate::support::{Place, text, tool};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::Output;

/// A hostile text: it sets the terminal's title, clipboard and colour, reorders text, and imitates an error line.
pub(super) const EVIL: &str =
    "e\u{1b}]0;EVIL\u{7}\u{1b}]52;c;RVZJTA==\u{7}\u{1b}[31m\u{9b}31m\u{202e}\u{200b}\u{2028}\nerror: fake";

/// Returns a text as a YAML string.
pub(super) fn yaml(value: &str) -> String {
    let escaped = value.chars().map(|character| match character {
        '"' | '\\' => format!("\\{character}"),
        ' '..='~' => character.to_string(),
        other if u32::from(other) < 0x1_0000 => format!("\\u{:04x}", u32::from(other)),
        other => format!("\\U{:08x}", u32::from(other)),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// Checks that a printed text has no control sequences for the terminal except styles, and no hidden characters.
#[track_caller]
pub(super) fn is_plain(shown: &str) {
    let mut rest = shown.to_owned();
    while let Some(at) = rest.find("\u{1b}[") {
        let parameters = &rest[at + 2..];
        let end = parameters.find(|one: char| !one.is_ascii_digit() && one != ';').unwrap();
        assert!(parameters[end..].starts_with('m'), "{shown:?}");
        rest = format!("{}{}", &rest[..at], &parameters[end + 1..]);
    }
    let hidden = |one: char| {
        (one.is_control() && one != '\n' && one != '\t')
            || matches!(one, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    assert!(!rest.contains(hidden), "{shown:?}");
}

/// Checks that a command prints [`EVIL`] escaped, both with and without colours, and that its JSON data has [`EVIL`]
/// unchanged.
#[track_caller]
fn shown(place: &Place, words: &[&str], code: i32) {
    for color in ["--color=always", "--color=never"] {
        let output = place.run(&[words, &[color]].concat());
        let all = format!("{}{}", text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{words:?}\n{all}");
        is_plain(&all);
        assert!(all.contains("\\u{1b}") && all.contains("EVIL"), "{words:?} does not show it:\n{all}");
        assert!(!all.lines().any(|line| line.starts_with("error: fake")), "{words:?}\n{all}");
    }
    let report = place.run(&[words, &["-o", "json"]].concat());
    is_plain(&text(&report.stdout));
    let data: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
    assert!(data.to_string().contains("\u{9b}31m\u{202e}"), "the data is as it was: {data}");
}

#[test]
fn values_of_a_project_are_written_out() {
    let place = Place::with_project();
    let project = fs::read_to_string(place.root().join("PROJECT")).unwrap();
    let with = |key: &str| {
        let lines = project.lines().filter(|line| !line.starts_with(&format!("{key}:")));
        let text = lines.flat_map(|line| [line, "\n"]).collect::<String>();
        fs::write(place.root().join("PROJECT"), format!("{text}{key}: {}\n", yaml(EVIL))).unwrap();
    };
    for key in ["domain", "projectName"] {
        with(key);
        shown(&place, &["list"], 1);
        shown(&place, &["update", "--check"], 1);
    }
    let newer = format!("9.9.9{EVIL}");
    fs::write(
        place.root().join("PROJECT"),
        format!("{}cliVersion: {}\n", project.replace("cliVersion:", "other:"), yaml(&newer)),
    )
    .unwrap();
    let said = text(&place.run(&["list"]).stderr);
    is_plain(&said);
    assert!(said.contains("`cliVersion` is not a version"), "{said}");
}

#[test]
fn lines_of_the_record_are_written_out() {
    let place = Place::with_project();
    let evil = EVIL.replace('\n', " ");
    let path = place.root().join(".opctl/files.yaml");
    let record = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{record}  {evil}: [no]\n")).unwrap();
    shown(&place, &["update", "--check"], 1);
}

#[test]
fn definitions_of_others_are_written_out() {
    let place = Place::new();
    for (group, kind) in [(EVIL, "Shop"), ("example.com", EVIL)] {
        let definition = format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: {name}}}\n\
             spec: {{group: {group}, scope: Namespaced, names: {{kind: {kind}, plural: shops}}, versions: [{{name: v1, served: true, storage: true,\
             schema: {{openAPIV3Schema: {{type: object}}}}}}]}}\n",
            name = yaml(&format!("shops.{group}")),
            group = yaml(group),
            kind = yaml(kind),
        );
        fs::write(place.root().join("crd.yaml"), definition).unwrap();
        let output = place.run(&["adopt", "--crds", "crd.yaml", "--domain", "example.com", "new"]);
        let said = text(&output.stderr);
        assert_ne!(output.status.code(), Some(0), "{said}");
        is_plain(&said);
        assert!(said.contains("\\u{1b}]0;EVIL\\u{7}"), "{said}");
    }
}

/// Starts an API server on this machine that answers each request with a failure `Status` whose message is `message`,
/// and writes a kubeconfig for this server.
fn answers(place: &Place, message: &str) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let status = serde_json::json!({
        "kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "InternalError", "code": 500, "message": message,
    });
    let body = status.to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
            let head = "HTTP/1.1 500 Internal Server Error\r\nContent-Type: application/json\r\nConnection: close\r\n";
            let _ = write!(stream, "{head}Content-Length: {}\r\n\r\n{body}", body.len());
        }
    });
    let kubeconfig = format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: {evil}\ncontexts: [{{name: {evil}, context: {{cluster: a, user: a}}}}]\n\
         clusters: [{{name: a, cluster: {{server: 'http://{address}'}}}}]\nusers: [{{name: a, user: {{}}}}]\n",
        evil = yaml(EVIL)
    );
    fs::write(place.root().join("kubeconfig"), kubeconfig).unwrap();
}

#[test]
fn messages_of_an_api_server_are_written_out() {
    let place = Place::with_project();
    answers(&place, EVIL);
    for words in [&["logs"][..], &["status"], &["migrate"], &["undeploy"]] {
        let output = place.run(&[words, &["--kubeconfig", "kubeconfig", "--color=always"]].concat());
        let all = format!("{}{}", text(&output.stdout), text(&output.stderr));
        is_plain(&all);
        assert!(!all.lines().any(|line| line.starts_with("error: fake")), "{words:?}\n{all}");
    }
    let said = text(&place.run(&["logs", "--kubeconfig", "kubeconfig"]).stderr);
    assert!(said.contains("\n    | error: fake"), "{said}");
}

#[test]
fn names_of_files_and_arguments_are_written_out() {
    let place = Place::with_project();
    let evil = EVIL.replace('\n', "");
    let output = place.run(&["list", &evil]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    is_plain(&said);
    assert!(said.contains("\\u{1b}]0;EVIL\\u{7}"), "{said}");
    let output = place.run(&["-C", &evil, "list"]);
    is_plain(&text(&output.stderr));
}

/// Runs a command with a terminal as its stdout.
fn on_a_terminal(place: &Place, words: &[&str]) -> Output {
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let line = format!("'{}' {} 2>/dev/null", env!("CARGO_BIN_EXE_opctl"), quoted.join(" "));
    let mut script = tool("script");
    script.args(["-qec", &line, "/dev/null"]).current_dir(place.root()).env_remove("NO_COLOR").output().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn a_document_is_written_out_on_a_terminal_only() {
    let place = Place::with_project();
    let words = ["delete", "api", "--kind", "Shop", "--force", "--dry-run", "--diff"];
    place.ok(&["create", "api", "--kind", "Shop"]);
    let kind = place.root().join("api/src/v1alpha1/shop.rs");
    let source = fs::read_to_string(&kind).unwrap();
    fs::write(&kind, format!("// \u{1b}]0;EVIL\u{7}\n{source}")).unwrap();
    let piped = text(&place.run(&words).stdout);
    assert!(piped.contains("-// \u{1b}]0;EVIL\u{7}\n"), "a patch is exact: {piped:?}");
    let seen = text(&on_a_terminal(&place, &words).stdout);
    assert!(seen.contains("-// \\u{1b}]0;EVIL\\u{7}"), "{seen:?}");
    assert!(!seen.contains("\u{1b}]0;"), "{seen:?}");
}

#[test]
fn a_compiler_keeps_its_colours() {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "Shop"]);
    let kind = place.root().join("api/src/v1alpha1/shop.rs");
    fs::write(&kind, "pub struct Shop { size: /* \u{1b}]0;EVIL\u{7} */ }\n").unwrap();
    let output = place.command(&["manifests", "--color=always"]).env_remove("NO_COLOR").output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    is_plain(&said);
    assert!(said.contains("\u{1b}[") && said.contains("EVIL"), "{said:?}");
}
