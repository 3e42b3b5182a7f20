//! Tests of images, of their archives, and of OCI layouts as base images.

use super::*;
use std::fs;
use std::io::Read;
use std::path::Path;

fn contents<'a>(program: &'a [u8], base: Option<&'a Base>) -> Contents<'a> {
    let repository = Some("https://example.com/web.git");
    Contents { platform: Platform::Amd64, program, bill: "{}", repository, base }
}

fn unpack(archive: &[u8], folder: &Path) {
    tar::Archive::new(archive).unpack(folder).unwrap();
}

fn config(image: &Image) -> serde_json::Value {
    serde_json::from_slice(&image.config.bytes).unwrap()
}

#[test]
fn the_same_contents_make_the_same_image() {
    let [one, two] = [b"program", b"program"].map(|program| Image::new(&contents(program, None)).unwrap());
    assert_eq!(archive(&one, "web:1").unwrap(), archive(&two, "web:1").unwrap());
    let other = Image::new(&contents(b"other", None)).unwrap();
    assert_ne!(one.digest(), other.digest());
    let config = config(&one);
    assert_eq!(config["config"]["Entrypoint"][0], "/manager");
    assert_eq!(config["config"]["User"], "65532:65532");
    assert_eq!(config["config"]["Env"], serde_json::json!(["MALLOC_ARENA_MAX=1"]));
    assert_eq!(config["config"]["Labels"]["org.opencontainers.image.source"], "https://example.com/web.git");
}

/// An image that opctl builds has the user, entrypoint and environment of the scaffolded Dockerfile.
#[test]
fn the_image_is_configured_as_that_of_the_dockerfile() {
    let dockerfile = include_str!("../../templates/project/Dockerfile.tera");
    let config = config(&Image::new(&contents(b"", None)).unwrap());
    let of_run = &config["config"];
    for (instruction, value) in [
        ("USER", of_run["User"].as_str().unwrap().to_owned()),
        ("ENTRYPOINT", of_run["Entrypoint"].to_string()),
        ("ENV", of_run["Env"][0].as_str().unwrap().to_owned()),
    ] {
        assert!(dockerfile.lines().any(|line| line == format!("{instruction} {value}")), "{instruction} {value}");
    }
}

#[test]
fn an_archive_has_the_layer_and_is_a_base() {
    let image = Image::new(&contents(b"program", None)).unwrap();
    let packed = tempfile::NamedTempFile::new().unwrap();
    fs::write(packed.path(), archive(&image, "web:1").unwrap()).unwrap();
    assert_eq!(crate::exec::only_image(packed.path()).unwrap(), "web:1");

    let folder = tempfile::tempdir().unwrap();
    unpack(&fs::read(packed.path()).unwrap(), folder.path());
    let base = Base::read(folder.path(), Platform::Amd64).unwrap();
    let above = Image::new(&contents(b"above", Some(&base))).unwrap();
    assert_eq!(above.layers.len(), 2);
    assert_eq!(above.layers[0], image.layers[0]);
    let config = config(&above);
    assert_eq!(config["rootfs"]["diff_ids"].as_array().unwrap().len(), 2);
    assert_eq!(config["history"].as_array().unwrap().len(), 2);
    let mut names = Vec::new();
    let mut layer = tar::Archive::new(flate2::read::GzDecoder::new(above.layers[1].bytes.as_slice()));
    for entry in layer.entries().unwrap() {
        let mut entry = entry.unwrap();
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        let header = entry.header();
        assert_eq!((header.mtime().unwrap(), header.uid().unwrap()), (0, 0));
        names.push((entry.path().unwrap().display().to_string(), header.mode().unwrap(), text));
    }
    let file = |name: &str, mode, text: &str| (name.to_owned(), mode, text.to_owned());
    assert_eq!(names, [file("manager", 0o755, "above"), file("manager.cdx.json", 0o644, "{}")]);
}

#[test]
fn a_layout_that_is_not_one_is_refused() {
    let image = Image::new(&contents(b"program", None)).unwrap();
    let packed = archive(&image, "web:1").unwrap();
    let index = |manifests: &str| format!(r#"{{"manifests": {manifests}}}"#);
    let named = |digest: &str| index(&format!(r#"[{{"mediaType": "a/b", "digest": "{digest}"}}]"#));
    let digest = image.digest().to_owned();
    let deep = index(&format!(
        r#"[{{"mediaType": "application/vnd.oci.image.index.v1+json", "digest": "{}"}}]"#,
        blob::digest(b"[]")
    ));
    for (text, told) in [
        ("rubbish".to_owned(), "expected value"),
        (index("[]"), "the layout does not contain exactly one image for `linux/amd64`"),
        (
            index(r#"[{"platform": {"os": "linux", "architecture": "s390x"}}]"#),
            "the layout does not contain exactly one image",
        ),
        (named("sha256:../../../../etc/passwd"), "no media type or no SHA-256 digest"),
        (named("md5:00"), "no media type or no SHA-256 digest"),
        (named(&format!("sha256:{}", "0".repeat(64))), "does not exist"),
        (named(&digest), "`a/b` is not the media type of an image"),
        (deep, "the layout does not contain exactly one image"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        unpack(&packed, folder.path());
        fs::write(folder.path().join("blobs/sha256").join(&blob::digest(b"[]")[7..]), "[]").unwrap();
        fs::write(folder.path().join("index.json"), text).unwrap();
        let error = Base::read(folder.path(), Platform::Amd64).unwrap_err();
        assert!(error.causes()[0].contains(told), "{told}: {:?}", error.causes());
    }
    let folder = tempfile::tempdir().unwrap();
    unpack(&packed, folder.path());
    assert!(Base::read(folder.path(), Platform::Arm64).is_err());
    let layer = folder.path().join("blobs/sha256").join(&image.layers[0].digest[7..]);
    fs::write(layer, "changed").unwrap();
    let error = Base::read(folder.path(), Platform::Amd64).unwrap_err();
    assert!(error.causes()[0].contains("does not match its name"), "{:?}", error.causes());
    assert!(Base::read(Path::new("/none"), Platform::Amd64).unwrap_err().causes()[0].contains("does not exist"));
}
