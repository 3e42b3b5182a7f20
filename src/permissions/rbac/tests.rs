use super::{Grant, grants, roles};
use crate::finding::Severity;
use crate::source::markers::{markers, random::Random};
use crate::yaml;
use serde_json::Value;
use std::path::Path;

/// Checks, for each folder of testdata/manifest/rbac, that the roles generated from `markers.rs` equal `role.yaml`. If
/// `markers.rs` has errors, the text of the first error must equal the folder's file `error` instead. A folder with
/// random markers has a `controller-gen.yaml` in place of `role.yaml`: the output of controller-gen v0.21, which lacks
/// opctl's annotation for Roles in other namespaces.
#[test]
fn cases() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/manifest/rbac");
    let mut count = 0;
    for case in std::fs::read_dir(cases).expect("the cases").flatten().map(|entry| entry.path()) {
        let read = |name: &str| std::fs::read_to_string(case.join(name)).ok();
        let source = read("markers.rs").expect("markers.rs");
        let (markers, misspelled) = markers(Path::new("markers.rs"), &source);
        let (grants, said) = grants(&markers, false, &|_, plural| plural == "nodes");
        let error = misspelled.iter().chain(&said).find(|finding| finding.severity == Severity::Error);
        let (kind, made) = match error {
            None if case.join("controller-gen.yaml").is_file() => {
                ("controller-gen.yaml", yaml::documents(&without_annotations(roles(&grants, false))))
            }
            None => ("role.yaml", yaml::documents(&roles(&grants, false))),
            Some(finding) => {
                ("error", format!("{}: error: {}\nhint: {}\n", finding.place(), finding.reason, finding.hint))
            }
        };
        if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") && kind != "controller-gen.yaml" {
            std::fs::write(case.join(kind), &made).expect("writable");
        }
        assert_eq!(Some(made), read(kind), "{}", case.display());
        count += 1;
    }
    assert!(count > 10, "only {count} cases");
}

fn without_annotations(mut roles: Vec<Value>) -> Vec<Value> {
    for metadata in roles.iter_mut().filter_map(|role| role["metadata"].as_object_mut()) {
        metadata.remove("annotations");
    }
    roles
}

#[test]
fn rbac_markers_read_back_as_printed() {
    let mut random = Random(1);
    for round in 0..20_000 {
        let grant = any(&mut random);
        let text = format!("    // {grant}");
        let (markers, misspelled) = markers(Path::new("a.rs"), &text);
        assert_eq!((grants(&markers, false, &|_, _| false).0, misspelled), (vec![grant], vec![]), "{round}: {text}");
    }
}

fn any(random: &mut Random) -> Grant {
    let odd =
        ["a b", "a;b", "a,b", "{a}", "a=b", "\"", "\\", "`", "é", " ", "//", "*", "\u{1F600}", "a\nb", "+opctl:rbac"];
    let mut odder = |usual: &[&str], least: usize| {
        let mut all = usual.to_vec();
        all.push(random.pick(&odd));
        random.some(&all, least, 4)
    };
    let (verbs, names) = (odder(&["get", "list", "*", "bind"], 1), odder(&["a", "b"], 0));
    let (groups, resources) = (odder(&["", "core", "apps"], 1), odder(&["pods", "pods/status", "a.b"], 1));
    let (namespace, role_name) = (random.pick(&["", "default", "my-ns"]), random.pick(&["", "role", "r\"o,le"]));
    let grant = Grant { verbs, role_name: role_name.to_owned(), ..Grant::default() };
    if random.below(4) == 0 {
        return Grant { urls: random.some(&["/metrics", "/x y", "*", "/a;b"], 1, 3), ..grant };
    }
    Grant { groups, resources, resource_names: names, namespace: namespace.to_owned(), ..grant }
}
