use super::{Older, compare};
use crate::manifest::lints;
use crate::source::places::Places;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

/// Each comparison in testdata/manifest/against has the expected findings: a folder has `old.yaml` and `new.yaml`
/// as input, and `findings` if findings are expected.
#[test]
fn cases() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/manifest/against");
    let mut missing: BTreeSet<&str> =
        lints().iter().map(|lint| lint.code).filter(|code| code.starts_with("OP6")).collect();
    let mut count = 0;
    for case in std::fs::read_dir(cases).expect("the cases").flatten().map(|entry| entry.path()) {
        let read = |name: &str| {
            let text = std::fs::read_to_string(case.join(name)).expect("readable");
            Older::read(Path::new("crd.yaml"), &text).expect("valid")
        };
        let older = Older { definitions: read("old.yaml"), complete: true, ..Older::default() };
        let mut said = String::new();
        for finding in compare(&older, &read("new.yaml"), &[], &Places::default()) {
            missing.remove(finding.code.as_str());
            let (severity, code) = (finding.severity.name(), &finding.code);
            let place = [finding.definition, finding.version, finding.path].into_iter().flatten().collect::<Vec<_>>();
            let _ = writeln!(said, "{severity} {code} {}: {}\nhint: {}", place.join(" "), finding.reason, finding.hint);
        }
        let file = case.join("findings");
        if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") && !said.is_empty() {
            std::fs::write(&file, &said).expect("writable");
        }
        assert_eq!(said, std::fs::read_to_string(file).unwrap_or_default(), "{}", case.display());
        count += 1;
    }
    assert!(count > 40, "only {count} cases");
    assert!(missing.is_empty(), "codes without a case: {missing:?}");
}
