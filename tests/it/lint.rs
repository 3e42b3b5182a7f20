//! The answers of a real API server to the CRDs of testdata/manifest/lint, recorded in the file `server` of each case.

use crate::support::Plane;
use kube::api::{Api, DynamicObject, Patch, PatchParams};
use kube::core::{ApiResource, GroupVersionKind};
use std::fs;
use std::path::Path;

/// Codes of findings for which the API server accepts a CRD: the CRD is valid, but a part of it has no effect, for
/// instance a printer column that is always empty. `opctl explain` describes each code.
const LOSSY: [&str; 4] = ["OP208", "OP209", "OP211", "OP251"];

#[tokio::test]
async fn crds_are_refused_by_the_server_exactly_if_opctl_reports_an_error() {
    let plane = Plane::start();
    let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    let definitions: Api<DynamicObject> = Api::all_with(plane.client().await, &ApiResource::from_gvk(&kind));
    let mut parameters = PatchParams::apply("opctl").dry_run();
    parameters.field_validation = Some(kube::api::ValidationDirective::Strict);
    let overwrite = crate::support::records();
    let mut count = 0;
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/manifest/lint");
    for case in fs::read_dir(cases).unwrap().flatten().map(|entry| entry.path()) {
        let Ok(text) = fs::read_to_string(case.join("crd.yaml")) else { continue };
        let object: DynamicObject = serde_yaml::from_str(&text.replace("[VERSION]", "\"0\"")).unwrap();
        let name = object.metadata.name.clone().unwrap();
        let said = match definitions.patch(&name, &parameters, &Patch::Apply(&object)).await {
            Ok(_) => None,
            Err(kube::Error::Api(status)) => {
                let refusals = status.details.iter().flat_map(|details| &details.causes);
                // One cause in each line, without those that the server repeats for each field with the same rule.
                let mut lines: Vec<String> =
                    refusals.map(|cause| format!("{}: {}\n", cause.field, cause.message)).collect();
                lines.sort();
                lines.dedup();
                Some(lines.concat())
            }
            Err(error) => panic!("{}: {error}", case.display()),
        };
        if let (Some(said), true) = (&said, overwrite) {
            fs::write(case.join("server"), said).unwrap();
        }
        assert_eq!(said, fs::read_to_string(case.join("server")).ok(), "{}", case.display());
        let found = fs::read_to_string(case.join("findings")).unwrap_or_default();
        let refused = found.lines().filter_map(|line| line.strip_prefix("error ")).any(|line| {
            let about_markers = line.starts_with("OP4");
            !about_markers && !LOSSY.iter().any(|code| line.starts_with(code))
        });
        assert_eq!(said.is_some(), refused, "{}: {said:?}", case.display());
        count += 1;
    }
    assert!(count > 20, "only {count} cases");
}
