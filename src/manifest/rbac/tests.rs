use super::{grants, roles};
use crate::yaml;
use std::path::Path;

/// Every folder of testdata/manifest/rbac: `markers.rs` in, `role.yaml` or `error` out.
#[test]
fn cases() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/manifest/rbac");
    let mut count = 0;
    for case in std::fs::read_dir(cases).expect("the cases").flatten().map(|entry| entry.path()) {
        let read = |name: &str| std::fs::read_to_string(case.join(name)).ok();
        let source = read("markers.rs").expect("markers.rs");
        let (kind, made) = match grants(Path::new("markers.rs"), &source) {
            Ok(grants) => ("role.yaml", yaml::documents(&roles(&grants))),
            Err(error) => ("error", format!("error: {error}\nhint: {}\n", error.hint_text().unwrap_or_default())),
        };
        if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
            std::fs::write(case.join(kind), &made).expect("writable");
        }
        assert_eq!(Some(made), read(kind), "{}", case.display());
        count += 1;
    }
    assert!(count > 10, "only {count} cases");
}
