//! `opctl docs` in projects of `testdata/golden`. Their CRDs are up to date, so opctl needs no compilation and no
//! cargo.

use crate::support::{Place, assert_same, lay, project, text};
use snapbox::{Assert, Data};
use std::fs;
use std::path::Path;
use std::process::Output;

const PAGE: &str = "docs/api.md";

fn golden(name: &str) -> Place {
    let place = Place::new();
    lay(&project(name), &place.root());
    place
}

fn run(place: &Place, arguments: &[&str]) -> Output {
    place.command(arguments).env("CARGO", "/nonexistent/cargo").env("RUSTC", "/nonexistent/rustc").output().unwrap()
}

fn ok(place: &Place, arguments: &[&str]) -> String {
    let output = run(place, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stderr)
}

fn refused(place: &Place, arguments: &[&str], message: &str) -> Output {
    let before = place.content();
    let output = run(place, arguments);
    assert_eq!(output.status.code(), Some(3), "{arguments:?}: {}", text(&output.stderr));
    assert!(text(&output.stderr).contains(message), "{}", text(&output.stderr));
    assert_same(&before, &place.content(), "nothing is written");
    output
}

#[test]
fn the_pages_of_golden_projects_are_as_recorded() {
    for name in ["kinds-operator", "platform-operator"] {
        let place = golden(name);
        let before = place.tree();
        let printed = text(&run(&place, &["docs", "--stdout"]).stdout);
        assert_same(&before, &place.tree(), "--stdout writes nothing");
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("testdata/reference/{name}.md"));
        let expected = Data::read_from(&file, Some(snapbox::data::DataFormat::Text)).raw();
        Assert::new().action_env("SNAPSHOTS").normalize_paths(false).eq(Data::text(printed.clone()), expected);
        ok(&place, &["docs"]);
        assert_eq!(fs::read_to_string(place.root().join(PAGE)).unwrap(), printed, "a page is the same everywhere");
    }
}

#[test]
fn the_types_of_kubernetes_are_links_or_sections() {
    let place = golden("kinds-operator");
    let printed = |flags: &[&str]| text(&run(&place, &[&["docs", "--stdout"], flags].concat()).stdout);
    let (linked, expanded) = (printed(&[]), printed(&["--expand"]));
    let section = "##### `spec.resources`\n";
    assert!(linked.contains("[ResourceRequirements](<https://kubernetes.io/docs/") && !linked.contains(section));
    assert!(expanded.contains("| [ResourceRequirements](#example.net-v1alpha1-Shop-spec.resources) |"), "{expanded}");
    assert!(expanded.contains(section));
    ok(&place, &["docs", "--expand"]);
    refused(&place, &["docs", "--check"], "error: the API reference is stale");
    ok(&place, &["docs", "--expand", "--check"]);
}

#[test]
fn a_page_is_written_once_and_a_stale_one_is_told() {
    let place = golden("kinds-operator");
    let dry = run(&place, &["docs", "--dry-run", "--diff"]);
    assert!(text(&dry.stdout).contains("+# API reference"), "{}", text(&dry.stdout));
    refused(&place, &["docs", "--check"], "error: the API reference is stale\ncaused by: `docs/api.md` would be added");
    let said = ok(&place, &["docs"]);
    assert!(said.contains("create docs/api.md") && said.contains("(4 kinds)"), "{said}");
    let written = place.tree();
    assert!(ok(&place, &["docs"]).contains("nothing to do: the API reference is up to date"));
    ok(&place, &["docs", "--check"]);
    assert_same(&written, &place.tree(), "the second run");
    let sample = place.root().join("config/samples/v1alpha1_shop.yaml");
    let changed = fs::read_to_string(&sample).unwrap().replace("replicas: 2", "replicas: 7");
    fs::write(sample, changed).unwrap();
    let stale = refused(&place, &["docs", "--check"], "hint: opctl docs\n");
    assert!(text(&stale.stdout).contains("-  replicas: 2\n+  replicas: 7"), "{}", text(&stale.stdout));
    assert!(ok(&place, &["docs"]).contains("update docs/api.md"));
}

#[test]
fn docs_does_not_overwrite_files_that_it_did_not_write() {
    let place = golden("kinds-operator");
    let page = place.root().join(PAGE);
    fs::create_dir(place.root().join("docs")).unwrap();
    fs::write(&page, "# Our own page\n").unwrap();
    let foreign = "error: `docs/api.md` is in the way\ncaused by: the file's first line does not state that `opctl docs` wrote the file";
    refused(&place, &["docs"], foreign);
    // A file that opctl generated for another purpose is not overwritten either.
    refused(&place, &["docs", "--markdown", "README.md"], "error: `README.md` is in the way");
    ok(&place, &["docs", "--force"]);
    fs::write(&page, fs::read_to_string(&page).unwrap() + "More.\n").unwrap();
    refused(&place, &["docs"], "caused by: it was written by hand, or edited since opctl wrote it");
    let stale = refused(&place, &["docs", "--check"], "the API reference is stale");
    assert!(text(&stale.stdout).contains("-More."), "{}", text(&stale.stdout));
    ok(&place, &["docs", "--force"]);
    ok(&place, &["docs", "--check"]);
}

#[test]
fn an_update_leaves_the_pages() {
    let place = golden("kinds-operator");
    ok(&place, &["docs", "--markdown", "docs/kinds.md", "--html", "docs/kinds.html"]);
    let before = place.tree();
    ok(&place, &["update"]);
    assert_same(&before, &place.tree(), "the update");
}

#[test]
fn files_are_named_from_where_the_command_is_run() {
    let place = golden("kinds-operator");
    let folder = place.root().join("config");
    ok(&place, &["-C", folder.to_str().unwrap(), "docs", "--html", "../site/api.html"]);
    let tree = place.tree();
    assert!(tree.contains_key("site/api.html") && !tree.contains_key(PAGE));
    let html = text(&tree["site/api.html"]);
    assert_eq!(text(&run(&place, &["docs", "--stdout=html"]).stdout), html);
    for part in ["<code>gracePeriod</code>", "example.net/v1beta1", "parcel-sample-v1beta1", "Shared objects"] {
        assert!(html.contains(part), "{part}");
    }
}

#[test]
fn programs_get_the_page_and_the_changes() {
    let place = golden("kinds-operator");
    let output = run(&place, &["docs", "--stdout", "-o", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["outcome"], "shown");
    assert!(report["data"]["markdown"].as_str().unwrap().contains("### Parcel"), "{report}");
    let output = run(&place, &["docs", "-o", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["outcome"], &report["changes"][0]["path"]), (&"changed".into(), &PAGE.into()), "{report}");
}

#[test]
fn a_changed_type_is_compiled_and_not_read_from_old_definitions() {
    let place = golden("kinds-operator");
    let file = place.root().join("api/src/v1alpha1/team.rs");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(file, text + "\n/// Another one.\npub struct Other;\n").unwrap();
    let output = run(&place, &["docs"]);
    let said = crate::support::text(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("cargo"), "{said}");
}
