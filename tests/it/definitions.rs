//! Tests of `opctl manifests`: it writes and removes CRDs below `config/crd/bases`, and keeps hand-written CRDs.

use crate::support::{self, Place, target_folder, text};
use opctl::test_api::plan::hash;
use std::fs;

const SHOP: &str = "config/crd/bases/example.com_shops.yaml";
const BY_HAND: &str = "config/crd/bases/byhand.yaml";
const KUSTOMIZATION: &str = "config/crd/kustomization.yaml";

fn project() -> Place {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "Shop"]);
    place
}

/// Runs `opctl manifests`. Returns its exit code and its output.
pub(crate) fn manifests(place: &Place, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = place.command(&[&["manifests"], arguments].concat());
    let output = command.env("CARGO_TARGET_DIR", target_folder()).output().unwrap();
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

pub(crate) fn read(place: &Place, path: &str) -> String {
    fs::read_to_string(place.root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

pub(crate) fn edit(place: &Place, path: &str, from: &str, to: &str) {
    support::edit(&place.root().join(path), from, to);
}

#[test]
fn one_that_fell_out_of_use_goes_and_one_written_by_hand_stays() {
    let place = project();
    let without = read(&place, "PROJECT");
    place.ok(&["create", "api", "--kind", "Gone", "--plural", "gones", "--controller=false"]);
    let by_hand = "# Ours.\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";
    fs::create_dir_all(place.root().join("config/crd/bases")).unwrap();
    fs::write(place.root().join(BY_HAND), by_hand).unwrap();
    edit(&place, KUSTOMIZATION, "resources:\n", "resources:\n- bases/byhand.yaml\n");
    assert_eq!(manifests(&place, &[]).0, Some(0));
    let gone = "config/crd/bases/example.com_gones.yaml";
    assert!(
        place.root().join(gone).exists() && read(&place, KUSTOMIZATION).contains("- bases/example.com_gones.yaml\n")
    );

    fs::remove_file(place.root().join("api/src/v1alpha1/gone.rs")).unwrap();
    let module = read(&place, "api/src/v1alpha1/mod.rs");
    let module: Vec<&str> = module.lines().filter(|line| !line.contains("gone")).collect();
    fs::write(place.root().join("api/src/v1alpha1/mod.rs"), module.join("\n")).unwrap();
    // As long as PROJECT lists the kind, its type may be missing by mistake.
    let (code, said) = manifests(&place, &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("`PROJECT` lists the kind `Gone`") && place.root().join(gone).exists(), "{said}");
    fs::write(place.root().join("PROJECT"), without).unwrap();
    let (code, said) = manifests(&place, &["--check"]);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains(&format!("`{gone}` would be removed")), "{said}");
    let (code, said) = manifests(&place, &[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(!place.root().join(gone).exists(), "{said}");
    let listed = read(&place, KUSTOMIZATION);
    let listed: Vec<&str> = listed.lines().filter(|line| line.starts_with("- bases/")).collect();
    assert_eq!(listed, ["- bases/byhand.yaml", "- bases/example.com_shops.yaml"]);
    assert_eq!(read(&place, BY_HAND), by_hand);
    assert!(place.root().join(SHOP).exists());
    assert_eq!(manifests(&place, &["--check"]).0, Some(0));
}

#[test]
fn another_opctl_that_would_write_the_same_changes_nothing() {
    let place = project();
    assert_eq!(manifests(&place, &[]).0, Some(0));
    let this = format!("opctl.dev/version: {}\n", env!("CARGO_PKG_VERSION"));
    // The state that an older opctl leaves: its version in the CRD, and the hash of that content in the list of
    // generated files.
    let written = hash(&read(&place, SHOP));
    edit(&place, SHOP, &this, "opctl.dev/version: 0.0.1\n");
    let before = read(&place, SHOP);
    edit(&place, ".opctl/files.yaml", &written, &hash(&before));
    edit(&place, ".opctl/files.yaml", env!("CARGO_PKG_VERSION"), "0.0.1");
    let (code, said) = manifests(&place, &["--check"]);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = manifests(&place, &[]);
    assert_eq!((code, read(&place, SHOP)), (Some(0), before), "{said}");

    // After a change of the types, the CRD names the current version again.
    edit(
        &place,
        "api/src/v1alpha1/shop.rs",
        "    pub message: String,",
        "    pub message: String,\n    pub added: bool,",
    );
    let (code, said) = manifests(&place, &[]);
    let after = read(&place, SHOP);
    assert!(code == Some(0) && after.contains(&this) && after.contains("added:"), "{said}\n{after}");
}

/// With a conversion webhook, opctl does not report differences between versions, but a kind without a served
/// version is still an error.
#[test]
fn a_kind_that_is_converted_has_to_be_served_all_the_same() {
    let place = project();
    place.ok(&["create", "api", "--kind", "Shop", "--version", "v1beta1"]);
    edit(&place, "api/src/v1beta1/shop.rs", "    pub message: String,", "    pub greeting: String,");
    let (code, said) = manifests(&place, &["--dry-run"]);
    assert!(code == Some(0) && said.contains("[OP552]"), "{code:?} {said}");
    let patch = "metadata:\n  name: shops.example.com\nspec:\n  conversion:\n    strategy: Webhook\n";
    fs::create_dir_all(place.root().join("config/crd/patches")).unwrap();
    fs::write(place.root().join("config/crd/patches/webhook_in_shops.yaml"), patch).unwrap();
    let (code, said) = manifests(&place, &["--dry-run"]);
    assert!(code == Some(0) && !said.contains("[OP5"), "{code:?} {said}");
    for version in ["v1alpha1", "v1beta1"] {
        let file = format!("api/src/{version}/shop.rs");
        edit(&place, &file, "#[kube(", "#[kube(served = false)]\n#[kube(");
    }
    let (code, said) = manifests(&place, &["--dry-run"]);
    assert!(code == Some(1) && said.contains("error[OP511]"), "{code:?} {said}");
}
