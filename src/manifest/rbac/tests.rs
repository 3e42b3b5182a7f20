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
        let mut findings = Vec::new();
        let grants = grants(Path::new("markers.rs"), &source, &mut findings);
        let (kind, made) = match findings.first() {
            None => ("role.yaml", yaml::documents(&roles(&grants))),
            Some(finding) => ("error", format!("error: {}\nhint: {}\n", finding.reason, finding.mend)),
        };
        if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
            std::fs::write(case.join(kind), &made).expect("writable");
        }
        assert_eq!(Some(made), read(kind), "{}", case.display());
        count += 1;
    }
    assert!(count > 10, "only {count} cases");
}
