use super::configuration::Webhook;
use super::configurations;
use crate::source::crate_sources::Source;
use crate::source::markers::{line_comments, markers, random::Random};
use crate::yaml;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Checks each folder of testdata/manifest/webhook: the webhook configurations generated from `markers.rs` equal
/// `controller-gen.yaml`, the output of controller-gen v0.21, or equal `manifests.yaml` if controller-gen refuses the
/// markers. The findings equal the file `findings`.
#[test]
fn cases() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/manifest/webhook");
    let mut count = (0, 0);
    for case in std::fs::read_dir(cases).expect("the cases").flatten().map(|entry| entry.path()) {
        let read = |name: &str| std::fs::read_to_string(case.join(name)).ok();
        let text = read("markers.rs").expect("markers.rs");
        let source = Source { file: PathBuf::from("markers.rs"), syntax: syn::parse_file(&text).ok(), text };
        let (made, said) = (made(&source), said(&source));
        let theirs = read("controller-gen.yaml");
        count.0 += usize::from(theirs.is_some());
        let ours = if theirs.is_some() { None } else { Some(("manifests.yaml", made.clone())) };
        for (name, made) in ours.into_iter().chain([("findings", said)]) {
            if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") && !made.is_empty() {
                std::fs::write(case.join(name), &made).expect("writable");
            }
            assert_eq!(made, read(name).unwrap_or_default(), "{}", case.display());
        }
        assert_eq!(theirs.as_ref().unwrap_or(&made), &made, "{}", case.display());
        count.1 += 1;
    }
    assert!(count.0 > 20 && count.1 > 70, "only {count:?} cases");
}

fn read(source: &Source) -> (String, Vec<crate::finding::Finding>) {
    let text = source.without_tests();
    let (markers, misspelled) = markers(&source.file, &text);
    let (objects, findings) = configurations(&markers, &[], &[]);
    (yaml::documents(&objects), [misspelled, findings].concat())
}

/// Returns the generated webhook configurations as YAML, or an empty string if a finding is an error.
fn made(source: &Source) -> String {
    let (file, findings) = read(source);
    let refused = findings.iter().any(|finding| finding.severity == crate::finding::Severity::Error);
    if refused { String::new() } else { file }
}

fn said(source: &Source) -> String {
    let mut said = String::new();
    for finding in read(source).1 {
        let (severity, code, place) = (finding.severity.name(), &finding.code, finding.place());
        let _ = writeln!(said, "{severity} {code} {place}: {}\nhint: {}", finding.reason, finding.hint);
    }
    said
}

#[test]
fn webhook_markers_read_back_as_printed() {
    let mut random = Random(2);
    for round in 0..20_000 {
        let webhook = any(&mut random);
        let text = format!("// {webhook}");
        let comment = line_comments(&text);
        assert_eq!(comment.len(), 1, "{text}");
        let (markers, _) = markers(Path::new("a.rs"), &text);
        let read = Webhook::read(&markers[0]).unwrap_or_else(|wrong| panic!("{round}: {text}: {wrong:?}"));
        assert_eq!(read, webhook, "{text}");
    }
}

fn any(random: &mut Random) -> Webhook {
    let owned = |text: &str| Some(text.to_owned());
    let mutating = random.below(2) == 0;
    let url = random.below(3) == 0;
    let paths = ["/", "/validate--v1-pod", "/mutate-apps-example-com-v1-web.server/x/"];
    let urls = ["https://a.b/c", "https://[::1]:8443/x,y;z", "https://a.b/}{`"];
    let service = ["", "hooks", "a b", "no", "x\"y\\z"];
    let text = |value: &str| (!url && !value.is_empty()).then(|| value.to_owned());
    Webhook {
        mutating,
        name: random.pick(&["a.b.c", "vwebserver-v1.kb.io", "1.2.3.4"]).to_owned(),
        path: if url { None } else { owned(random.pick(&paths)) },
        url: if url {
            owned(random.pick(&urls)).filter(|url| url.parse::<http::Uri>().is_ok()).or(owned(urls[0]))
        } else {
            None
        },
        groups: random.some(&["", "core", "apps", "a.example.com", "a;b,c", "{x}"], 1, 4),
        versions: random.some(&["v1", "v1beta1", "v2"], 1, 3),
        resources: random.some(&["pods", "pods/status", "deployments", "x/*", "\"", "\\n"], 1, 4),
        operations: random.some(&["CREATE", "UPDATE", "DELETE", "CONNECT"], 1, 4),
        admission_review_versions: random
            .pick(&[&["v1"][..], &["v1", "v1beta1"], &["v2", "v1"]])
            .iter()
            .map(|one| (*one).to_owned())
            .collect(),
        failure_policy: random.pick(&["Fail", "Ignore"]).to_owned(),
        side_effects: random.pick(&["None", "NoneOnDryRun"]).to_owned(),
        match_policy: random.pick(&[None, Some("Exact"), Some("Equivalent")]).map(str::to_owned),
        reinvocation_policy: random
            .pick(&[None, Some("Never"), Some("IfNeeded")])
            .filter(|_| mutating)
            .map(str::to_owned),
        timeout_seconds: random.pick(&[None, Some(1), Some(30)]),
        service_name: text(random.pick(&service)),
        service_namespace: text(random.pick(&service)),
        service_port: random.pick(&[None, Some(443), Some(65_535)]).filter(|_| !url),
        patch: random
            .pick(&[None, Some(r#"{"objectSelector":{"matchLabels":{"a":"b"}}}"#)])
            .map(|patch| serde_json::from_str(patch).expect("JSON")),
    }
}
