//! The pictures in README: recordings of `opctl demo`.

use crate::support::{opctl, separate_target_folder, temporary};
use anstyle_svg::Term;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Stdio;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("testdata/{name}.svg"))
}

/// Returns the lines of text in the picture.
fn lines(svg: &str) -> Vec<String> {
    let rows = svg.split("<tspan x=").skip(1);
    rows.map(|row| {
        let row = &row[row.find('>').unwrap() + 1..];
        let text: String = row.split('<').map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text)).collect();
        let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
        let text = entities.iter().fold(text, |text, (entity, character)| text.replace(entity, character));
        text.trim_end().to_owned()
    })
    .collect()
}

/// Returns the commands in a picture, as they are typed.
pub(crate) fn commands_of(name: &str) -> Vec<String> {
    let svg = std::fs::read_to_string(file(name)).unwrap();
    lines(&svg).into_iter().filter_map(|line| Some(line.strip_prefix("$ ")?.to_owned())).collect()
}

/// Records the output of a demo with these flags as a picture.
fn record(name: &str, flags: &[&str]) {
    let (temporary, state) = (temporary(), temporary());
    let (mut said, terminal) = std::io::pipe().unwrap();
    let mut demo = opctl(&["demo", "--color", "always"]);
    demo.args(flags);
    demo.env("TMPDIR", temporary.path()).env("XDG_STATE_HOME", state.path());
    demo.env("CARGO_TARGET_DIR", separate_target_folder("demo"));
    demo.stdin(Stdio::null()).stdout(terminal.try_clone().unwrap()).stderr(terminal);
    let mut child = demo.spawn().unwrap();
    // The command holds the write ends of the pipe.
    drop(demo);
    let mut text = String::new();
    said.read_to_string(&mut text).unwrap();
    assert!(child.wait().unwrap().success(), "{text}");
    let line = ["opctl", "demo"].iter().chain(flags).copied().collect::<Vec<_>>().join(" ");
    std::fs::write(file(name), Term::new().render_svg(&format!("$ {line}\n{text}"))).unwrap();
    assert_eq!(commands_of(name)[0], line);
}

#[test]
#[ignore = "records the demo: cargo test --locked --test it -- --ignored the_picture_is_recorded"]
fn the_picture_is_recorded() {
    record("demo", &[]);
}

#[test]
#[ignore = "records the demo: cargo test --locked --test it -- --ignored the_picture_of_a_finding_is_recorded"]
fn the_picture_of_a_finding_is_recorded() {
    record("finding", &["--explore"]);
}

#[test]
fn the_pictures_show_whole_demos() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    for (name, first, last, summary) in [
        ("demo", "opctl demo", "kubectl get webservers", "a custom resource is Ready"),
        ("finding", "opctl demo --explore", "opctl explore --budget 30s", "the bug is found"),
    ] {
        let shown = commands_of(name);
        assert_eq!(shown[..2], [first, "opctl init --domain example.com"]);
        assert!(shown.iter().any(|line| line == last), "{shown:?}");
        let svg = std::fs::read_to_string(file(name)).unwrap();
        assert!(lines(&svg).iter().any(|line| line.contains(summary)), "{name}");
        assert!(readme.contains(&format!("](testdata/{name}.svg)")), "README shows {name}");
    }
}

#[test]
fn the_lines_of_a_picture_are_read_back() {
    let said =
        "\u{1b}[1m\u{1b}[36m$\u{1b}[0m export KUBECONFIG=\"$(opctl envtest start)\"\n\n  a <b> & 'c'   d\nlast\n";
    let read = lines(&Term::new().render_svg(said));
    assert_eq!(read[..4], ["$ export KUBECONFIG=\"$(opctl envtest start)\"", "", "  a <b> & 'c'   d", "last"]);
}
