//! Reads archives of images, as `docker save` writes them.

use crate::error::{file_error, hint};
use crate::{Error, Result, system};
use serde_json::Value;
use std::io::Read;
use std::path::Path;

/// The file that lists the images of an archive.
const LIST: &str = "manifest.json";
/// The maximum number of bytes of the list; the list of a single image has some hundred bytes.
const LONGEST: u64 = 1_000_000;
/// The maximum number of entries that are read; the archive of an image has about ten layers.
const ENTRIES: usize = 10_000;

/// Returns the name of the only image in an archive.
///
/// # Errors
/// Fails if the file is not an archive, or if the archive does not have exactly one name of an image.
pub fn only_image(archive: &Path) -> Result<String> {
    let refused = |reason: String| {
        Error::user(format!("`{}` is not an archive of a single image", archive.display()))
            .caused_by(reason)
            .hint(hint!("docker save --output {} web-operator:1", archive.display()))
    };
    let file = system::open_without_waiting(archive).map_err(|error| file_error("read", archive, &error))?;
    let mut packed = tar::Archive::new(file);
    let entries = packed.entries_with_seek().map_err(|error| refused(error.to_string()))?;
    for entry in entries.take(ENTRIES) {
        let entry = entry.map_err(|error| refused(error.to_string()))?;
        let path = entry.path().map(|path| path.strip_prefix(".").unwrap_or(&path).to_owned());
        if !path.is_ok_and(|path| path == Path::new(LIST)) {
            continue;
        }
        let mut text = String::new();
        entry.take(LONGEST).read_to_string(&mut text).map_err(|error| refused(error.to_string()))?;
        let list: Value = serde_json::from_str(&text).map_err(|error| refused(error.to_string()))?;
        let images = list.as_array().into_iter().flatten();
        let names: Vec<&str> =
            images.filter_map(|image| image["RepoTags"].as_array()).flatten().filter_map(Value::as_str).collect();
        return match names[..] {
            [name] => Ok(name.to_owned()),
            _ => Err(refused(format!("the archive contains {} image names", names.len()))),
        };
    }
    Err(refused(format!("it has no `{LIST}`")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(name: &str, content: &str) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut archive = tar::Builder::new(file.reopen().unwrap());
        for (name, content) in [("layer.tar", "rubbish"), (name, content)] {
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            header.set_mode(0o644);
            archive.append_data(&mut header, name, content.as_bytes()).unwrap();
        }
        archive.finish().unwrap();
        file
    }

    #[test]
    fn the_name_of_the_only_image_is_found() {
        for name in ["manifest.json", "./manifest.json"] {
            let archive = packed(name, r#"[{"Config": "c", "RepoTags": ["web:1"], "Layers": []}]"#);
            assert_eq!(only_image(archive.path()).unwrap(), "web:1", "{name}");
        }
        for (name, content, reason) in [
            ("manifest.json", r#"[{"RepoTags": ["a:1", "b:1"]}]"#, "the archive contains 2 image names"),
            ("manifest.json", r#"[{"RepoTags": null}]"#, "the archive contains 0 image names"),
            ("manifest.json", "{", "EOF"),
            ("index.json", "[]", "it has no `manifest.json`"),
        ] {
            let error = only_image(packed(name, content).path()).unwrap_err();
            assert!(error.causes()[0].contains(reason), "{error:?}");
        }
        let rubbish = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(rubbish.path(), "rubbish ".repeat(200)).unwrap();
        let error = only_image(rubbish.path()).unwrap_err();
        assert!(error.message().ends_with("` is not an archive of a single image"), "{error}");
    }
}
