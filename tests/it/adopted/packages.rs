//! `opctl adopt` in workspaces where several packages define kinds.

use super::{MAIN, fails, kind, ok, operator, read, workspace};
use crate::support::tree;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn yaml(root: &Path, file: &str) -> Value {
    serde_yaml::from_str(&read(root, file)).unwrap()
}

/// Returns the entry `adopted` of the `PROJECT` file.
fn adopted(root: &Path) -> Value {
    yaml(root, "PROJECT")["plugins"]["rust.opctl.dev/v1"]["adopted"].clone()
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn the_kinds_of_all_packages_are_generated_and_watched_for_changes() {
    let (_folder, root) = operator("workspace");
    let said = ok(&root, &["adopt"]);
    assert!(said.contains("the kinds are those of `shop-orders`, `shop-stock`"), "{said}");
    let shop = json!({ "package": "shop", "program": "shop" });
    assert_eq!(adopted(&root), json!({ "types": [{ "package": "orders" }, { "package": "stock" }], "operator": shop }));
    let samples = [("orders", "article: chair"), ("stock", "shelf: left")];
    for (group, text) in samples {
        let sample = read(&root, &format!("config/samples/{group}_v1_item.yaml"));
        assert!(sample.contains(text), "{sample}");
    }

    let said = ok(&root, &["manifests"]);
    assert!(said.ends_with("    opctl run\n"), "{said}");
    let spec = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties";
    for (group, field) in [("orders", "article"), ("stock", "shelf")] {
        let made = yaml(&root, &format!("config/crd/bases/{group}.shop.example.com_items.yaml"));
        assert!(made.pointer(spec).unwrap().get(field).is_some(), "{made}");
    }
    let prices = yaml(&root, "config/crd/bases/shop.example.com_prices.yaml");
    let versions: Vec<&Value> = prices["spec"]["versions"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(versions, ["v1", "v2"]);
    assert!(ok(&root, &["manifests", "--check", "-v"]).contains("nothing is compiled"));
    let page = ok(&root, &["docs", "--stdout"]);
    assert!(page.contains("somebody has ordered") && page.contains("An item on a shelf"), "{page}");
    let whole = tree(&root);
    ok(&root, &["adopt"]);
    assert_eq!(tree(&root), whole);

    let stock = root.join("stock/src/crd.rs");
    let text = fs::read_to_string(&stock).unwrap();
    fs::write(&stock, text.replace("pub shelf: String,", "pub shelf: String,\n    pub row: Option<u8>,")).unwrap();
    fails(&root, &["install"], 3, "`stock/src/crd.rs` has changed since the CRDs were generated");
    fails(&root, &["manifests", "--check"], 3, "config/crd/bases/stock.shop.example.com_items.yaml");
    fs::write(&stock, text.replace("version = \"v2\"", "version = \"v1\"")).unwrap();
    let said = fails(&root, &["manifests"], 1, "OP214");
    assert!(said.contains("orders/src/crd.rs:") && said.contains("stock/src/crd.rs:"), "{said}");
}

const HEAD: &str = "version = \"0.1.0\"\nedition = \"2024\"\n";

/// Makes a workspace with the libraries `shop-a`, `shop-b` and `shop-c`, and the programs `shop` and `tool`, which
/// depend on `shop-a` and `shop-b`. `shop-a` defines a kind. `shop-b` defines a kind, and a second kind with the
/// feature `more`. `shop-c` defines no kinds.
fn shop() -> TempDir {
    let package = |name: &str, rest: &str| format!("[package]\nname = \"{name}\"\n{HEAD}{rest}");
    let uses = "[dependencies]\nshop-a = { path = \"../a\" }\nshop-b = { path = \"../b\" }\n";
    let more = format!("#[cfg(feature = \"more\")]\n{}", kind("More", "example.com"));
    workspace(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"tool\", \"shop\", \"c\", \"b\", \"a\"]\nresolver = \"3\"\n"),
        ("a/Cargo.toml", "shop-a"),
        ("a/src/lib.rs", &kind("Disk", "example.com")),
        ("b/Cargo.toml", &package("shop-b", "[features]\nmore = []\n")),
        ("b/src/lib.rs", &format!("{}{more}", kind("Tape", "old.example.com"))),
        ("c/Cargo.toml", "shop-c"),
        ("c/src/lib.rs", ""),
        ("shop/Cargo.toml", &package("shop", uses)),
        ("shop/src/main.rs", MAIN),
        ("tool/Cargo.toml", &package("tool", uses)),
        ("tool/src/main.rs", MAIN),
    ])
}

#[track_caller]
fn has_types(root: &Path, types: &Value, without: &[&str]) {
    let adopted = adopted(root);
    assert_eq!(adopted["types"], *types);
    assert_eq!(adopted["without"], if without.is_empty() { Value::Null } else { json!(without) });
}

#[test]
fn all_packages_are_taken_unless_flags_name_some() {
    let both = json!([{ "package": "a" }, { "package": "b" }]);
    let more = json!([{ "package": "a" }, { "package": "b", "features": ["more"] }]);
    let table: &[(&[&str], &Value, &[&str])] = &[
        (&[], &both, &[]),
        (&["--package", "shop-b,shop-a"], &both, &[]),
        (&["--package", "shop-b", "--package", "shop-a"], &both, &[]),
        (&["--features", "more"], &more, &[]),
        (&["--package", "shop-a"], &json!({ "package": "a" }), &["b"]),
        (&["--domain", "old.example.com"], &json!({ "package": "b" }), &[]),
    ];
    for (arguments, types, without) in table {
        let folder = shop();
        let adopt = [&["adopt"], *arguments, &["--bin", "shop"]].concat();
        ok(folder.path(), &adopt);
        has_types(folder.path(), types, without);
        let before = tree(folder.path());
        for again in [["adopt"].as_slice(), &adopt] {
            ok(folder.path(), again);
            assert_eq!(tree(folder.path()), before, "{again:?} after {adopt:?}");
        }
    }
}

#[test]
fn packages_come_and_go_with_their_kinds() {
    let folder = shop();
    let root = folder.path();
    let (a, b, c) = (json!({ "package": "a" }), json!({ "package": "b" }), json!({ "package": "c" }));
    let write = |path: &str, text: &str| fs::write(root.join(path), text).unwrap();
    ok(root, &["adopt"]);
    assert_eq!(adopted(root)["operator"]["program"], "shop", "it begins the names of all packages with kinds");
    write("c/src/lib.rs", &kind("Cup", "example.com"));
    ok(root, &["adopt"]);
    has_types(root, &json!([a, b, c]), &[]);
    write("a/src/lib.rs", "");
    ok(root, &["adopt"]);
    has_types(root, &json!([b, c]), &[]);
    // What was left out stays so, as long as another package has kinds.
    write("a/src/lib.rs", &kind("Disk", "example.com"));
    ok(root, &["adopt", "--package", "shop-c"]);
    has_types(root, &c, &["a", "b"]);
    write("b/src/lib.rs", "");
    ok(root, &["adopt"]);
    has_types(root, &c, &["a", "b"]);
    write("c/src/lib.rs", "");
    fails(
        root,
        &["manifests"],
        1,
        "opctl adopt    # removes the kind from `PROJECT` for good; to keep the kind, restore its Rust type instead",
    );
    ok(root, &["adopt"]);
    has_types(root, &a, &[]);
}

/// A package whose types are all hidden in macros causes a warning, and is not recorded as a package with kinds.
#[test]
fn a_package_with_kinds_only_in_macros_causes_a_warning() {
    let shop = kind("Shop", "example.com").replace("kube::CustomResource", "Cr");
    let library =
        format!("use kube::CustomResource as Cr;\n{shop}\ncfg_if::cfg_if! {{ if #[cfg(unix)] {{ {shop} }} }}");
    let folder = workspace(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"one\", \"two\", \"three\"]\nresolver = \"3\"\n"),
        ("one/Cargo.toml", "one"),
        ("one/src/lib.rs", &library),
        ("one/src/main.rs", MAIN),
        ("two/Cargo.toml", "two"),
        ("two/src/lib.rs", "mod inner;"),
        ("two/src/inner.rs", "\ninclude!(concat!(env!(\"OUT_DIR\"), \"/messages.rs\"));"),
        ("three/Cargo.toml", "three"),
        ("three/src/lib.rs", "include!(\"kinds.rs\");"),
        ("three/src/kinds.rs", &kind("Store", "example.com")),
    ]);
    let said = ok(folder.path(), &["adopt", "--bin", "one"]);
    for place in ["one/src/lib.rs:", "two/src/inner.rs:2"] {
        assert!(said.contains("OP304") && said.contains(place), "{place}\n{said}");
    }
    let types = &adopted(folder.path())["types"];
    assert_eq!(*types, json!([{ "package": "one" }, { "package": "three" }]));
    let kinds = yaml(folder.path(), "PROJECT")["resources"].clone();
    let kinds: Vec<&Value> = kinds.as_array().unwrap().iter().map(|one| &one["kind"]).collect();
    assert_eq!(kinds, ["Shop", "Store"]);
}
