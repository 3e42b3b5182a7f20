use super::types;
use super::{ApiType, Features, own_types};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Runs the discovery over files given as `// file: path` sections; returns the types as lines `path kind file:line`.
fn found(text: &str) -> Result<String, String> {
    let mut files: BTreeMap<PathBuf, String> = BTreeMap::new();
    let mut current = PathBuf::new();
    for line in text.lines() {
        if let Some(path) = line.trim().strip_prefix("// file: ") {
            current = PathBuf::from(path);
            files.entry(current.clone()).or_default();
        } else if let Some(file) = files.get_mut(&current) {
            file.push_str(line.trim());
            file.push('\n');
        }
    }
    let manifest = files.get(Path::new("api/Cargo.toml")).cloned().unwrap_or_default();
    let features = Features::default_of(&manifest.parse().expect("a manifest"));
    let source = |path: &Path| Ok(files.get(path).cloned());
    let (types, findings) = types(Path::new("api/src/lib.rs"), &source, &features)
        .map_err(|error| format!("{}\n{}", error, error.hint_text().unwrap_or_default()))?;
    if let Some(finding) = findings.first() {
        return Err(format!("{} ({})\n{}", finding.reason, finding.place(), finding.hint));
    }
    let line = |found: &super::ApiType| format!("{} {} {}", found.path, found.resource.kind, found.place());
    Ok(types.iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// Returns the findings about a library and further files, as lines `code file:line reason`, and the types that are found.
fn hidden(files: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let source = |path: &Path| {
        let file = files.iter().find(|(file, _)| path == Path::new(file));
        Ok(file.map(|(_, text)| (*text).to_owned()))
    };
    let (types, findings) = types(Path::new("api/src/lib.rs"), &source, &Features::default()).expect("Rust");
    let line = |finding: &crate::finding::Finding| format!("{} {} {}", finding.code, finding.place(), finding.reason);
    let found = |found: &ApiType| format!("{} {}", found.path, found.place());
    (findings.iter().map(line).collect(), types.iter().map(found).collect())
}

const FOO: &str = "#[derive(Clone)]
    #[derive(kube::CustomResource)]
    #[kube(group = \"g.example\", version = \"v1\")]
    #[kube(kind = \"Foo\", namespaced, printcolumn(name = \"A\", type_ = \"date\", json_path = \".a\"))]
    pub struct FooSpec {}";

#[test]
fn modules_in_files_folders_lines_and_by_path() {
    let text = format!(
        "// file: api/src/lib.rs
        pub mod one;
        pub mod two;
        pub mod inline {{ pub mod deep; {FOO} }}
        #[path = \"elsewhere/x.rs\"] pub mod moved;
        // file: api/src/one.rs
        pub mod sub;
        // file: api/src/one/sub.rs
        {FOO}
        // file: api/src/two/mod.rs
        {FOO}
        // file: api/src/inline/deep.rs
        {FOO}
        // file: api/src/elsewhere/x.rs
        {FOO}
        pub mod y;
        // file: api/src/elsewhere/y.rs
        {FOO}"
    );
    let expected = "inline::Foo Foo api/src/lib.rs:7
inline::deep::Foo Foo api/src/inline/deep.rs:5
moved::Foo Foo api/src/elsewhere/x.rs:5
moved::y::Foo Foo api/src/elsewhere/y.rs:5
one::sub::Foo Foo api/src/one/sub.rs:5
two::Foo Foo api/src/two/mod.rs:5";
    assert_eq!(found(&text).as_deref(), Ok(expected));
}

#[test]
fn private_modules_are_reached_through_re_exports() {
    for (lib, path) in [
        ("mod a; pub use a::Foo;", "Foo"),
        ("mod a; pub use a::{Foo, FooSpec};", "Foo"),
        ("mod a; pub use a::*;", "Foo"),
        ("mod a; pub use self::a::Foo as Bar;", "Bar"),
        ("mod a; pub mod v1 { pub use super::a::Foo; }", "v1::Foo"),
        ("mod a; pub mod v1 { pub use crate::a::*; }", "v1::Foo"),
        ("mod a; mod b { pub use super::a::Foo; } pub use b::Foo;", "Foo"),
        ("mod a; pub use a as c;", "c::Foo"),
        ("mod a; mod b { pub use super::*; } pub use b::a;", "a::Foo"),
    ] {
        let text = format!("// file: api/src/lib.rs\n{lib}\n// file: api/src/a.rs\n{FOO}");
        assert_eq!(found(&text), Ok(format!("{path} Foo api/src/a.rs:5")), "{lib}");
    }
}

#[test]
fn modules_that_import_all_of_each_other_are_walked_through_once() {
    let names: Vec<String> = (0..24).map(|number| format!("m{number}")).collect();
    let all = names.iter().map(|name| format!("pub use super::{name}::*;")).collect::<Vec<_>>().join(" ");
    let modules = names.iter().map(|name| format!("pub mod {name} {{ use std::fmt; {all} }}"));
    let modules = modules.collect::<Vec<_>>().join("\n");
    let text = format!(
        "// file: api/src/lib.rs
        {modules}
        mod a;
        pub use m0::Foo;
        // file: api/src/a.rs
        {FOO}"
    );
    assert!(found(&text).is_err_and(|error| error.contains("cannot be named from outside of its crate")));
    let text = text.replacen("use std::fmt;", "pub use super::a::*;", 1);
    assert_eq!(found(&text).as_deref(), Ok("Foo Foo api/src/a.rs:5"));
}

#[test]
fn a_type_that_cannot_be_named_is_an_error_with_the_line_to_add() {
    let text = format!("// file: api/src/lib.rs\nmod a;\n// file: api/src/a.rs\n{FOO}");
    let error = found(&text).expect_err("unreachable");
    assert!(error.contains("`Foo` cannot be named from outside of its crate (api/src/a.rs:5)"), "{error}");
    assert!(error.contains("`api/src/lib.rs`") && error.contains("pub use a::Foo;"), "{error}");

    let text = format!("// file: api/src/lib.rs\n{}", FOO.replace("pub struct", "struct"));
    assert!(found(&text).expect_err("private").contains("write `pub struct FooSpec`"));
}

#[test]
fn the_root_module_of_a_program_sees_more_than_other_crates() {
    for (module, inner, path) in [
        ("mod a", "", Some("a::Foo")),
        ("mod a", "pub mod b", Some("a::b::Foo")),
        ("mod a", "pub(crate) mod b", Some("a::b::Foo")),
        ("mod a", "pub(super) mod b", Some("a::b::Foo")),
        ("mod a", "mod b", None),
    ] {
        let item = FOO.replace("pub struct", if inner.is_empty() { "pub(crate) struct" } else { "pub struct" });
        let item = if inner.is_empty() { item } else { format!("{inner} {{ {item} }}") };
        let text = format!("{module} {{ {item} }}");
        let source = |_: &Path| Ok(Some(text.clone()));
        let found = own_types((Path::new("src/main.rs"), true), &source, &Features::default(), &|_| true);
        let (found, findings) = found.expect("Rust");
        let found: Vec<String> = found.into_iter().map(|found| found.path).collect();
        assert_eq!(found, path.into_iter().collect::<Vec<_>>(), "{text}");
        assert_eq!(findings.len(), usize::from(path.is_none()));
    }
    let source = |_: &Path| Ok(Some(FOO.replace("pub struct", "struct")));
    let found = own_types((Path::new("src/main.rs"), true), &source, &Features::default(), &|_| true);
    assert_eq!(found.expect("Rust").0[0].path, "Foo");
}

#[test]
fn features_decide_what_is_there() {
    let text = |cfg: &str| {
        format!(
            "// file: api/Cargo.toml\n[features]\ndefault = [\"v1\"]\nv1 = [\"all\"]\nall = []\nother = []\n// file: api/src/lib.rs\n{cfg}\n{FOO}"
        )
    };
    for (cfg, there) in [
        ("#[cfg(feature = \"v1\")]", true),
        ("#[cfg(feature = \"all\")]", true),
        ("#[cfg(feature = \"other\")]", false),
        ("#[cfg(not(feature = \"other\"))]", true),
        ("#[cfg(any(feature = \"other\", feature = \"v1\"))]", true),
        ("#[cfg(all(feature = \"other\", unix))]", false),
        ("#[cfg(test)]", false),
        ("#[cfg(unix)]", true),
    ] {
        assert_eq!(found(&text(cfg)).expect("parses").is_empty(), !there, "{cfg}");
    }
    let derive =
        FOO.replace("#[derive(kube::CustomResource)]", "#[cfg_attr(feature = \"other\", derive(CustomResource))]");
    assert_eq!(found(&format!("// file: api/src/lib.rs\n{derive}")).as_deref(), Ok(""));
}

#[test]
fn the_root_type_may_have_another_name_than_the_kind() {
    let text = format!("// file: api/src/lib.rs\n{}", FOO.replace("namespaced", "root = \"TcpRoute\""));
    assert_eq!(found(&text).as_deref(), Ok("TcpRoute Foo api/src/lib.rs:5"));
}

#[test]
fn errors_carry_the_place() {
    assert!(found("// file: api/src/lib.rs\npub mod a {").expect_err("syntax").contains("api/src/lib.rs:"));
    let error = found("// file: api/src/lib.rs\nmod gone;").expect_err("missing file");
    assert!(error.contains("`mod gone` (api/src/lib.rs:1)"), "{error}");
    let text = format!("// file: api/src/lib.rs\n{}", FOO.replace("kind = \"Foo\", ", ""));
    assert!(found(&text).expect_err("no kind").contains("`kind = \"..\"` (api/src/lib.rs:2)") || found(&text).is_err());
}

#[test]
fn the_attributes_state_what_kube_makes_of_them() {
    let text = FOO.replace(
        "namespaced,",
        "namespaced, plural = \"foos\", shortname = \"f\", category = \"all\", status = \"FooStatus\", storage = false,
        served = false, deprecated = \"old\", selectable = \".spec.a\", annotation(\"k\", \"v\"),
        scale(spec_replicas_path = \".spec.n\", status_replicas_path = \".status.n\"),",
    );
    let source = |_: &Path| Ok(Some(text.clone()));
    let (found, _) = types(Path::new("lib.rs"), &source, &Features::default()).expect("parses");
    let expected = serde_json::json!({
        "metadata": {"annotations": {"k": "v"}},
        "spec": {
            "group": "g.example",
            "names": {"kind": "Foo", "singular": "foo", "plural": "foos", "shortNames": ["f"], "categories": ["all"]},
            "scope": "Namespaced",
            "versions": [{
                "name": "v1", "served": false, "storage": false, "deprecated": true, "deprecationWarning": "old",
                "additionalPrinterColumns": [{"name": "A", "type": "date", "jsonPath": ".a"}],
                "selectableFields": [{"jsonPath": ".spec.a"}],
                "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n"}},
            }],
        },
    });
    assert_eq!(found[0].resource.stated, expected);
}

/// Checks that the parts of a CRD that opctl reads from the source equal the parts in kube's CRD. opctl needs these
/// parts for types whose schema kube cannot generate; the types in this test have a schema, so that kube's CRD is
/// available. `tests/it/kube_attributes.rs` writes kube's CRDs to `crds.yaml`.
#[test]
fn crd_parts_read_from_the_source_equal_those_that_kube_generates() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/manifest/kube-attributes");
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).expect("readable");
    let source = text("types.rs");
    let (all, _) = types(Path::new("types.rs"), &|_| Ok(Some(source.clone())), &Features::default()).expect("types");
    let crds = text("crds.yaml").replace("[VERSION]", "\"0\"");
    let mut compared = 0;
    for document in crds.split("---\n").filter(|document| !document.is_empty()) {
        let object: serde_json::Value = serde_yaml::from_str(document).expect("YAML");
        let of_kind = |one: &&ApiType| object["spec"]["names"]["kind"] == one.resource.kind.as_str();
        let found: Vec<&ApiType> = all.iter().filter(of_kind).collect();
        // kube's file has a single version, and types with several versions are merged.
        let [only] = found.as_slice() else { continue };
        let without = |value: &serde_json::Value, keys: &[&str]| {
            let mut value = value.clone();
            for key in keys {
                value.as_object_mut().expect("a mapping").remove(*key);
            }
            value
        };
        let (spec, stated) = (&object["spec"], &only.resource.stated);
        assert_eq!(without(&spec["names"], &["listKind"]), stated["spec"]["names"]);
        assert_eq!(without(&spec["versions"][0], &["schema"]), stated["spec"]["versions"][0]);
        assert_eq!(spec["scope"], stated["spec"]["scope"]);
        assert_eq!(object["metadata"]["labels"], stated["metadata"]["labels"]);
        let annotations = without(&object["metadata"]["annotations"], &["opctl.dev/version"]);
        let nothing = serde_json::json!({});
        assert_eq!(&annotations, stated["metadata"].get("annotations").unwrap_or(&nothing));
        compared += 1;
    }
    assert_eq!(compared, 4);
}

#[test]
fn the_derive_may_have_another_name() {
    for (before, derive) in [
        ("use kube::CustomResource as Cr;", "Cr"),
        ("use kube::{CustomResource as Cr, KubeSchema};", "Clone, Cr, KubeSchema"),
        ("mod prelude { pub use kube::CustomResource as Cr; } use prelude::*;", "Cr"),
        ("use kube as k;", "k::CustomResource"),
        ("use shared::Kind;", "shared::Kind"),
        ("", "::kube_derive::CustomResource"),
    ] {
        let item = FOO.replace("kube::CustomResource", derive);
        let text = format!("{before}\n{item}");
        assert_eq!(hidden(&[("api/src/lib.rs", &text)]), (vec![], vec!["Foo api/src/lib.rs:6".to_owned()]), "{text}");
    }
    let other =
        "#[derive(Clone)] #[kube(root = \"A\")] pub struct A; #[derive(Parser)] #[command(name = \"a\")] pub struct B;";
    assert_eq!(hidden(&[("api/src/lib.rs", other)]), (vec![], vec![]));
}

#[test]
fn a_kind_that_a_macro_makes_is_reported_where_it_is_made() {
    let derive =
        "#[derive(CustomResource)] #[kube(group = \"g.example\", version = $v, kind = \"Foo\")] pub struct FooSpec {}";
    let renamed = derive.replace("CustomResource", "$derive");
    let define = |body: &str| format!("macro_rules! foo {{ ($v:literal) => {{ {body} }} }}");
    for (text, macros, line) in [
        (format!("{}\nfoo!(\"v1\");", define(derive)), "`foo!`", 2),
        (format!("{}\nmod a {{\ncrate::foo! {{ \"v1\" }}\n}}", define(derive)), "`foo!`", 3),
        (format!("\n{}", define(derive)), "`foo!`", 2),
        (format!("{}\nfoo!(\"v1\");", define(&renamed)), "`foo!`", 2),
        (format!("\n\ncfg_if::cfg_if! {{ if #[cfg(unix)] {{ {FOO} }} }}"), "`cfg_if!`", 3),
        (format!("paste! {{ mod a {{ {FOO} }} }}"), "`paste!`", 1),
    ] {
        let (findings, _) = hidden(&[("api/src/lib.rs", &text)]);
        let expected = format!("OP304 api/src/lib.rs:{line} the macro {macros} makes a custom resource");
        assert!(findings.len() == 1 && findings[0].starts_with(&expected), "{text}\n{findings:?}");
    }
    for text in [
        "macro_rules! a { () => { use kube::CustomResourceExt; } } a!();".to_owned(),
        "thread_local! { static A: u8 = 1; } lazy_static! { static ref KUBE: u8 = kube(kind); }".to_owned(),
        format!("#[cfg(test)] {}", define(derive)),
        "macro_rules! a { () => { #[derive(Clone)] struct B; } } a!();".to_owned(),
    ] {
        let text = text.replace("kube(kind)", "kubernetes(kind)");
        assert_eq!(hidden(&[("api/src/lib.rs", &text)]), (vec![], vec![]), "{text}");
    }
}

#[test]
fn a_kind_whose_attribute_a_macro_writes_is_reported_with_the_macro() {
    let spec = "pub struct FooSpec {}";
    for (text, attribute) in [
        (format!("#[versioned(crd(group = \"g.example\"))] #[derive(CustomResource)] {spec}"), "versioned"),
        (
            format!("#[stackable::versioned(k8s(group = \"g.example\"))] #[derive(Clone)] {spec}"),
            "stackable::versioned",
        ),
        (format!("#[derive(CustomResource)] #[serde(default)] #[kinds::kind] {spec}"), "kinds::kind"),
        (format!("#[crd(group = \"g.example\", kind = \"Foo\")] {spec}"), "crd"),
        (
            format!("#[versioned(version(name = \"v1\"))] pub mod a {{ #[derive(kube::CustomResource)] {spec} }}"),
            "versioned",
        ),
        (format!("#[cfg_attr(unix, versioned(crd(group = \"g.example\")))] #[derive(Cr)] {spec}"), "versioned"),
    ] {
        let (findings, types) = hidden(&[("api/src/lib.rs", &text)]);
        let expected = format!(
            "OP304 api/src/lib.rs:1 the attribute macro `#[{attribute}]` turns `FooSpec` into a custom resource"
        );
        assert!(findings.len() == 1 && findings[0].starts_with(&expected), "{text}\n{findings:?}");
        assert!(types.is_empty());
    }
    for text in [
        format!("#[derive(CustomResource)] #[serde(default)] #[clippy::msrv = \"1\"] {spec}"),
        format!("#[versioned(a)] #[derive(CustomResource)] #[kube(kind = \"Foo\")] {spec}"),
    ] {
        let (findings, _) = hidden(&[("api/src/lib.rs", &text)]);
        assert!(findings.len() == 1 && findings[0].starts_with("OP201 "), "{text}\n{findings:?}");
    }
    let other = "#[versioned(version(name = \"v1\"))] pub mod a { pub struct B; } #[tokio::main] fn main() {}
        #[derive(clap::Parser)] #[command(name = \"a\")] #[group(id = \"a.b\")] pub struct C;";
    assert_eq!(hidden(&[("api/src/lib.rs", other)]), (vec![], vec![]));
}

#[test]
fn a_file_of_an_include_is_read_or_reported() {
    for (call, file, place) in [
        ("include!(\"kinds.rs\");", "api/src/kinds.rs", "Foo"),
        ("pub mod a { include!(\"gen/kinds.in\"); }", "api/src/gen/kinds.in", "a::Foo"),
        ("std::include! { \"kinds.rs\" }", "api/src/kinds.rs", "Foo"),
        ("include!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/gen/kinds.rs\"));", "api/gen/kinds.rs", "Foo"),
        ("include!(concat!(\"kinds\", \".rs\"));", "api/src/kinds.rs", "Foo"),
    ] {
        let files = [("api/src/lib.rs", call), (file, FOO), ("api/Cargo.toml", "")];
        assert_eq!(hidden(&files), (vec![], vec![format!("{place} {file}:5")]), "{call}");
    }
    for call in [
        "include!(concat!(env!(\"OUT_DIR\"), \"/kinds.rs\"));",
        "pub mod a { include!(env!(\"KINDS\")); }",
        "include!(\"missing.rs\");",
        "include!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/missing.rs\"));",
        "core::include!(other!());",
    ] {
        let (findings, _) = hidden(&[("api/src/lib.rs", &format!("\n{call}")), ("api/Cargo.toml", "")]);
        assert!(
            findings.len() == 1 && findings[0].starts_with("OP304 api/src/lib.rs:2 `include!` includes "),
            "{findings:?}"
        );
    }
    let (findings, _) =
        hidden(&[("api/src/lib.rs", "const A: &str = include_str!(\"a\"); fn a() { include!(\"b\") }")]);
    assert!(findings.is_empty(), "{findings:?}");
}

#[test]
fn a_file_within_itself_is_an_error() {
    for text in [
        "// file: api/src/lib.rs\ninclude!(\"lib.rs\");",
        "// file: api/src/lib.rs\n#[path = \"lib.rs\"] mod a;",
        "// file: api/src/lib.rs\nmod a;\n// file: api/src/a.rs\n#[path = \"lib.rs\"] mod b;",
        "// file: api/src/lib.rs\nmod a;\n// file: api/src/a.rs\ninclude!(\"b.rs\");\n// file: api/src/b.rs\ninclude!(\"a.rs\");",
        "// file: api/src/lib.rs\nmod a { mod b { include!(\"lib.rs\"); } }",
    ] {
        assert!(found(text).expect_err("endless").contains("contains itself as a module"), "{text}");
    }
}
