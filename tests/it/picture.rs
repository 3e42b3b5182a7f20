//! The picture in README: what `opctl demo` prints, as it was recorded from a run.

use crate::golden::target_folder;
use anstyle_svg::Term;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/demo.svg")
}

/// The lines that the picture shows.
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

/// The commands that the picture shows, as they are typed.
pub(crate) fn commands() -> Vec<String> {
    let svg = std::fs::read_to_string(file()).unwrap();
    lines(&svg).into_iter().filter_map(|line| Some(line.strip_prefix("$ ")?.to_owned())).collect()
}

#[test]
#[ignore = "records the demo: cargo test --locked --test it -- --ignored the_picture_is_recorded"]
fn the_picture_is_recorded() {
    let (temporary, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (mut said, terminal) = std::io::pipe().unwrap();
    let mut demo = Command::new(env!("CARGO_BIN_EXE_opctl"));
    demo.args(["demo", "--color", "always"]).env("TMPDIR", temporary.path()).env("XDG_STATE_HOME", state.path());
    demo.env("CARGO_TARGET_DIR", target_folder().with_file_name("demo"));
    demo.stdin(Stdio::null()).stdout(terminal.try_clone().unwrap()).stderr(terminal);
    let mut child = demo.spawn().unwrap();
    // It holds the ends of the pipe that are written to.
    drop(demo);
    let mut text = String::new();
    said.read_to_string(&mut text).unwrap();
    assert!(child.wait().unwrap().success(), "{text}");
    std::fs::write(file(), Term::new().render_svg(&format!("$ opctl demo\n{text}"))).unwrap();
    assert_eq!(commands()[0], "opctl demo");
}

#[test]
fn the_picture_shows_a_whole_demo() {
    let shown = commands();
    assert_eq!(shown[..2], ["opctl demo", "opctl init --domain example.com"]);
    assert_eq!(shown.last().unwrap(), "kubectl get webservers");
    let svg = std::fs::read_to_string(file()).unwrap();
    assert!(lines(&svg).iter().any(|line| line.contains("a custom resource is Ready")));
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    assert!(readme.contains("](testdata/demo.svg)"), "README shows it");
}

#[test]
fn the_lines_of_a_picture_are_read_back() {
    let said =
        "\u{1b}[1m\u{1b}[36m$\u{1b}[0m export KUBECONFIG=\"$(opctl envtest start)\"\n\n  a <b> & 'c'   d\nlast\n";
    let read = lines(&Term::new().render_svg(said));
    assert_eq!(read[..4], ["$ export KUBECONFIG=\"$(opctl envtest start)\"", "", "  a <b> & 'c'   d", "last"]);
}
