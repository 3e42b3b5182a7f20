//! An image: its configuration, its layers and the manifest that names them.

use super::base::Base;
use super::blob::{Blob, CONFIG, INDEX, MANIFEST};
use super::layer::{File, layer};
use super::platform::Platform;
use crate::{Error, Result};
use serde_json::{Map, Value, json};

/// The path of the program in the image, as in the scaffolded Dockerfile.
const PROGRAM: &str = "manager";
/// The path of the bill of materials in the image. Scanners look for files with the extension `.cdx.json`.
const BILL: &str = "manager.cdx.json";
/// The user, as in the scaffolded Dockerfile: a number, because the kubelet cannot tell that a user name is not root.
const USER: &str = "65532:65532";
/// The environment variable that makes all threads share one arena of glibc. Otherwise, glibc keeps the peak memory of
/// each thread in a separate arena.
const ENVIRONMENT: &str = "MALLOC_ARENA_MAX=1";
/// The creation time, which is constant, so that the same contents make the same image.
const CREATED: &str = "1970-01-01T00:00:00Z";

/// The contents of an image.
#[derive(Clone, Copy, Debug)]
pub struct Contents<'a> {
    /// The platform that the program is compiled for.
    pub platform: Platform,
    /// The content of the program's file.
    pub program: &'a [u8],
    /// The bill of materials of the program: see [`bill_of_materials`](super::bill_of_materials()).
    pub bill: &'a str,
    /// The URL of the project's repository.
    pub repository: Option<&'a str>,
    /// The base image, which contains the libraries that the program needs; `None` for an image without a base image.
    pub base: Option<&'a Base>,
}

/// An image for one platform.
#[derive(Clone, Debug)]
pub struct Image {
    pub(super) platform: Platform,
    pub(super) manifest: Blob,
    pub(super) config: Blob,
    pub(super) layers: Vec<Blob>,
}

impl Image {
    /// Creates an image. The same contents create the same image.
    ///
    /// # Errors
    /// Fails if the layer of the program cannot be created, which is a defect of opctl.
    pub fn new(contents: &Contents) -> Result<Self> {
        let files = [
            File { path: PROGRAM, mode: 0o755, content: contents.program },
            File { path: BILL, mode: 0o644, content: contents.bill.as_bytes() },
        ];
        let own = layer(&files).map_err(|error| Error::bug("cannot make the layer of the image").source(&error))?;
        let mut config = contents.base.map_or_else(|| json!({}), |base| base.config.clone());
        let mut layers = contents.base.map_or_else(Vec::new, |base| base.layers.clone());
        configure(&mut config, contents);
        append(&mut config, "/rootfs/diff_ids", json!(own.diff_id));
        append(&mut config, "/history", json!({ "created": CREATED, "created_by": "opctl build --local" }));
        layers.push(own.blob);
        let config = Blob::json(CONFIG, &config);
        let manifest = json!({
            "schemaVersion": 2,
            "mediaType": MANIFEST,
            "config": config.descriptor(),
            "layers": layers.iter().map(Blob::descriptor).collect::<Vec<_>>(),
        });
        Ok(Image { platform: contents.platform, manifest: Blob::json(MANIFEST, &manifest), config, layers })
    }

    /// Returns the digest of the image's manifest, which identifies the image in a registry.
    pub fn digest(&self) -> &str {
        &self.manifest.digest
    }

    pub(super) fn descriptor(&self) -> Value {
        let mut descriptor = self.manifest.descriptor();
        descriptor["platform"] = json!({ "os": "linux", "architecture": self.platform.architecture() });
        descriptor
    }

    /// Returns the configuration, the layers and the manifest.
    pub(super) fn blobs(&self) -> impl Iterator<Item = &Blob> {
        self.layers.iter().chain([&self.config, &self.manifest])
    }
}

/// Returns the index that names the images of several platforms.
pub(super) fn index(images: &[Image]) -> Blob {
    let manifests: Vec<Value> = images.iter().map(Image::descriptor).collect();
    Blob::json(INDEX, &json!({ "schemaVersion": 2, "mediaType": INDEX, "manifests": manifests }))
}

fn configure(config: &mut Value, contents: &Contents) {
    let root = object(config);
    root.insert("created".to_owned(), json!(CREATED));
    root.insert("architecture".to_owned(), json!(contents.platform.architecture()));
    root.insert("os".to_owned(), json!("linux"));
    object(root.entry("rootfs").or_insert_with(|| json!({}))).insert("type".to_owned(), json!("layers"));
    let run = object(root.entry("config").or_insert_with(|| json!({})));
    run.insert("User".to_owned(), json!(USER));
    run.insert("Entrypoint".to_owned(), json!([format!("/{PROGRAM}")]));
    run.remove("Cmd");
    let labels = object(run.entry("Labels").or_insert_with(|| json!({})));
    labels.insert("org.cyclonedx.bom".to_owned(), json!(format!("/{BILL}")));
    if let Some(repository) = contents.repository {
        labels.insert("org.opencontainers.image.source".to_owned(), json!(repository));
    }
    append(config, "/config/Env", json!(ENVIRONMENT));
}

/// Returns `value` as an object. If `value` is not an object, replaces it with an empty object first.
fn object(value: &mut Value) -> &mut Map<String, Value> {
    if !value.is_object() {
        *value = json!({});
    }
    value.as_object_mut().unwrap_or_else(|| unreachable!("the value is an object"))
}

/// Appends `item` to the list at a JSON pointer. If the value there is not a list, replaces it with a list first.
fn append(value: &mut Value, pointer: &str, item: Value) {
    let mut place = value;
    for key in pointer.split('/').skip(1) {
        place = object(place).entry(key).or_insert(Value::Null);
    }
    match place {
        Value::Array(list) => list.push(item),
        other => *other = json!([item]),
    }
}
