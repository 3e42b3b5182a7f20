use super::{CatalogFile, add};
use crate::olm::{Bundle, BundleFile};

const PATH: &str = "catalog/web/catalog.yaml";

fn bundle(version: &str, channels: &str, more: &str) -> Bundle {
    let prefix = "operators.operatorframework.io.bundle";
    let annotations = format!(
        "annotations:\n  {prefix}.package.v1: web\n  {prefix}.channels.v1: {channels}\n  \
         {prefix}.channel.default.v1: stable\n"
    );
    let service_version = format!(
        "kind: ClusterServiceVersion\nmetadata: {{name: web.v{version}}}\nspec:\n  version: {version}\n  \
         displayName: Web\n{more}"
    );
    let file = |path: &str, text: String| BundleFile { path: path.to_owned(), content: text.into_bytes() };
    Bundle::parse(
        "bundle",
        vec![file("metadata/annotations.yaml", annotations), file("manifests/web.yaml", service_version)],
    )
}

fn added(files: &[CatalogFile], bundle: &Bundle) -> crate::Result<Vec<CatalogFile>> {
    Ok(add(files, PATH, bundle, "r.example.com/web-bundle:1", false)?.files)
}

fn catalog(text: &str) -> Vec<CatalogFile> {
    vec![CatalogFile { path: PATH.to_owned(), text: text.to_owned() }]
}

#[test]
fn versions_follow_each_other_and_nothing_is_added_twice() {
    let first = added(&[], &bundle("0.1.0", "stable", "")).unwrap();
    assert_eq!((first.len(), first[0].path.as_str()), (1, PATH));
    assert!(added(&first, &bundle("0.1.0", "stable", "")).unwrap().is_empty());
    let second = added(&first, &bundle("0.2.0", "stable,fast", "  skips: [web.v0.1.1]\n")).unwrap();
    let text = &second[0].text;
    assert!(
        text.contains("- name: web.v0.1.0\n- name: web.v0.2.0\n  replaces: web.v0.1.0\n  skips:\n  - web.v0.1.1\n"),
        "{text}"
    );
    assert!(text.contains("name: fast\n") && text.matches("schema: olm.bundle").count() == 2, "{text}");
    assert!(text.matches("schema: olm.package").count() == 1, "{text}");
    assert!(added(&second, &bundle("0.2.0", "stable,fast", "  skips: [web.v0.1.1]\n")).unwrap().is_empty());
}

#[test]
fn lines_of_others_stay() {
    let theirs = "# ours by hand\nschema: olm.package\nname: web\ndefaultChannel: stable # for now\n---\n\
                  schema: olm.channel\npackage: web\nname: stable\nentries:\n  # the first\n  - name: web.v0.1.0\n\
                  # more to come\nproperties: []\n---\nschema: olm.bundle\nname: other.v1\npackage: other";
    let files = added(&catalog(theirs), &bundle("0.2.0", "stable", "")).unwrap();
    let expected =
        theirs.replace("- name: web.v0.1.0\n", "- name: web.v0.1.0\n  - name: web.v0.2.0\n    replaces: web.v0.1.0\n");
    assert!(files[0].text.starts_with(&format!("{expected}\n---\n")), "{}", files[0].text);
}

#[test]
fn bundles_that_would_break_a_channel_are_refused() {
    let channel = |entries: &str| format!("schema: olm.channel\npackage: web\nname: stable\nentries:{entries}\n");
    for (entries, version, more, expected) in [
        ("\n- name: web.v0.3.0", "0.2.0", "", "`web.v0.2.0` is older than `web.v0.3.0`"),
        (
            "\n- name: web.v0.3.0",
            "0.4.0",
            "  replaces: web.v0.1.0\n",
            "the channel `stable` would have 2 newest bundles",
        ),
        (" [{name: web.v0.1.0}]", "0.2.0", "", "the entries of the channel `stable`"),
        (" [", "0.2.0", "", "`catalog/web/catalog.yaml` is not YAML"),
    ] {
        let error = added(&catalog(&channel(entries)), &bundle(version, "stable", more)).unwrap_err();
        assert!(error.message().starts_with(expected), "{error}");
        assert!(error.hint_text().is_some());
    }
    let first = added(&[], &bundle("0.1.0", "stable", "")).unwrap();
    let changed = bundle("0.1.0", "stable", "  description: other\n");
    let error = added(&first, &changed).unwrap_err();
    assert_eq!(
        error.message(),
        "the catalog file `catalog/web/catalog.yaml` already contains the bundle `web.v0.1.0` with different content"
    );
    let forced = add(&first, PATH, &changed, "r.example.com/web-bundle:1", true).unwrap();
    assert_eq!(forced.files[0].text.matches("schema: olm.bundle").count(), 1);
}
