//! Checks the CRDs that opctl generates from types with every attribute that `#[kube(..)]` accepts. kube itself
//! compiles the types, and the CRDs must equal the recorded ones.

use crate::manifest::{generate_quietly, project};
use crate::support::apart;
use std::fs;
use std::path::Path;

#[test]
fn every_attribute_comes_out() {
    apart!();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/manifest/kube-attributes");
    let root = project("kube-attributes");
    let api = root.join("api/src");
    fs::remove_dir_all(api.join("v1alpha1")).unwrap();
    fs::create_dir(api.join("v1")).unwrap();
    fs::copy(folder.join("types.rs"), api.join("v1/mod.rs")).unwrap();
    fs::write(api.join("lib.rs"), "//! The types.\npub mod v1;\n").unwrap();
    let made = generate_quietly(&root).unwrap_or_else(|error| panic!("{error}: {:#?}", error.findings()));

    let texts =
        made.files.iter().filter(|(path, _)| path.starts_with("config/crd/bases/")).map(|(_, text)| text.as_str());
    let crds = texts.collect::<String>().replace(env!("CARGO_PKG_VERSION"), "[VERSION]");
    let file = folder.join("crds.yaml");
    if crate::support::records() {
        fs::write(&file, &crds).unwrap();
    }
    assert_eq!(crds, fs::read_to_string(&file).unwrap());
    let codes: Vec<&str> = made.findings.iter().map(|finding| finding.code.as_str()).collect();
    assert_eq!(codes, ["OP551"], "{:#?}", made.findings);
}
