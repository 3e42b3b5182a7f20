//! A registry in a folder (<https://doc.rust-lang.org/cargo/reference/source-replacement.html#local-registry-sources>).

use crate::support::{must, target_folder, tool, with_network};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, Item, TableLike};

/// A local registry that stands in for crates.io, and the home folder and the target folder of the cargo that uses the
/// registry. The three folders have the same paths in each test run, because cargo identifies unpacked and compiled
/// crates by the path of their registry.
pub(super) struct Registry {
    folder: PathBuf,
    home: PathBuf,
    target: PathBuf,
}

impl Registry {
    /// Makes a registry with the crates of these lock files of the repository.
    pub(super) fn new(name: &str, locks: &[&str]) -> Self {
        let folder = target_folder().with_file_name("published").join(name);
        let [target, home, folder] = ["target", "home", "registry"].map(|name| folder.join(name));
        let registry = Registry { folder, home, target };
        let _ = fs::remove_dir_all(&registry.folder);
        fs::create_dir_all(registry.folder.join("index")).unwrap();
        fs::create_dir_all(&registry.home).unwrap();
        let files = downloaded();
        for lock in locks {
            let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join(lock);
            for name in locked(&fs::read_to_string(lock).unwrap()) {
                let file = files.get(&name).unwrap_or_else(|| panic!("cargo has not downloaded {name}"));
                registry.publish(file);
            }
        }
        registry
    }

    /// Returns the environment in which cargo uses this registry.
    pub(super) fn environment(&self) -> [(&'static str, &Path); 2] {
        [("CARGO_HOME", &self.home), ("CARGO_TARGET_DIR", &self.target)]
    }

    /// Adds a package that was made from this checkout to the registry. Removes the unpacked and compiled files of the
    /// same package from an earlier run, because cargo would reuse them for a package of the same name and version.
    pub(super) fn release(&self, package: &Path) {
        self.publish(package);
        let name = package.file_stem().unwrap().to_str().unwrap();
        for unpacked in entries(&self.home.join("registry/src")) {
            let _ = fs::remove_dir_all(unpacked.join(name));
        }
        let (name, _) = name.rsplit_once('-').unwrap();
        for fingerprint in entries(&self.target.join("debug/.fingerprint")) {
            let entry = fingerprint.file_name().unwrap().to_str().unwrap();
            if entry.rsplit_once('-').is_some_and(|(package, _)| package == name) {
                fs::remove_dir_all(fingerprint).unwrap();
            }
        }
    }

    /// Adds a package, as `cargo publish` would.
    fn publish(&self, package: &Path) {
        let name = package.file_name().unwrap();
        let target = self.folder.join(name);
        if target.exists() {
            return;
        }
        fs::copy(package, &target).unwrap();
        let entry = entry(&fs::read(package).unwrap());
        let index = self.folder.join("index").join(place(entry["name"].as_str().unwrap()));
        fs::create_dir_all(index.parent().unwrap()).unwrap();
        let known = fs::read_to_string(&index).unwrap_or_default();
        fs::write(index, format!("{known}{entry}\n")).unwrap();
    }

    /// Lets cargo use this registry instead of crates.io in and below a folder.
    pub(super) fn configure(&self, folder: &Path) {
        let config = folder.join(".cargo/config.toml");
        fs::create_dir_all(config.parent().unwrap()).unwrap();
        let replaced = "[source.crates-io]\nreplace-with = \"published\"\n";
        fs::write(config, format!("{replaced}[source.published]\nlocal-registry = \"{}\"\n", self.folder.display()))
            .unwrap();
    }
}

/// Returns the paths of the files and folders in `folder`, or an empty list if there is no such folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
}

/// Downloads the missing crates of opctl and of a project in `testdata/golden`. Returns the crate files in cargo's
/// cache, by their names with versions.
fn downloaded() -> BTreeMap<String, PathBuf> {
    let project = crate::support::project("webserver-operator");
    for root in [Path::new(env!("CARGO_MANIFEST_DIR")), &project] {
        let mut fetch = tool(env!("CARGO"));
        must(with_network(fetch.args(["fetch", "--locked"]).current_dir(root)));
    }
    let cargo = tool(env!("CARGO"));
    let home = cargo.get_envs().find_map(|(name, value)| value.filter(|_| name == "CARGO_HOME"));
    let mut files = BTreeMap::new();
    for registry in fs::read_dir(Path::new(home.unwrap()).join("registry/cache")).unwrap() {
        for file in fs::read_dir(registry.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            files.insert(name, path);
        }
    }
    files
}

/// Returns the packages in a lock file that come from a registry, each as `<name>-<version>`.
fn locked(lock: &str) -> Vec<String> {
    let packages = lock.split("[[package]]\n").skip(1).filter(|package| package.contains("checksum = "));
    let value = |package: &str, key: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(&format!("{key} = \"")));
        line.unwrap().trim_end_matches('"').to_owned()
    };
    packages.map(|package| format!("{}-{}", value(package, "name"), value(package, "version"))).collect()
}

/// Returns the path of a crate's file in the index of a registry, relative to the index.
fn place(name: &str) -> String {
    match name.len() {
        1 => format!("1/{name}"),
        2 => format!("2/{name}"),
        3 => format!("3/{}/{name}", &name[..1]),
        _ => format!("{}/{}/{name}", &name[..2], &name[2..4]),
    }
}

/// Returns the index entry for a package, made from the `Cargo.toml` in the package.
fn entry(package: &[u8]) -> Value {
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(package));
    let manifest = archive.entries().unwrap().find_map(|entry| {
        let mut entry = entry.unwrap();
        let is_it = entry.path().unwrap().components().count() == 2 && entry.path().unwrap().ends_with("Cargo.toml");
        let mut text = String::new();
        is_it.then(|| entry.read_to_string(&mut text).unwrap())?;
        Some(text)
    });
    let manifest: DocumentMut = manifest.unwrap().parse().unwrap();
    let mut dependencies = of_table(manifest.as_table(), None);
    if let Some(targets) = manifest.get("target").and_then(Item::as_table_like) {
        for (target, table) in targets.iter() {
            dependencies.extend(of_table(table.as_table_like().unwrap(), Some(target)));
        }
    }
    let features = manifest.get("features").and_then(Item::as_table_like);
    let features: Map<String, Value> =
        features.into_iter().flat_map(TableLike::iter).map(|(name, list)| (name.to_owned(), texts(list))).collect();
    json!({
        "name": manifest["package"]["name"].as_str().unwrap(),
        "vers": manifest["package"]["version"].as_str().unwrap(),
        "deps": dependencies,
        "cksum": format!("{:x}", Sha256::digest(package)),
        "features": {},
        "features2": features,
        "links": manifest["package"].get("links").and_then(Item::as_str),
        "yanked": false,
        "v": 2,
    })
}

fn texts(list: &Item) -> Value {
    list.as_array().into_iter().flatten().filter_map(toml_edit::Value::as_str).collect()
}

/// Returns the dependencies in a table of a cargo manifest. `target` is the only platform to which these dependencies
/// apply; `None` means all platforms.
fn of_table(table: &dyn TableLike, target: Option<&str>) -> Vec<Value> {
    let kinds = [("dependencies", "normal"), ("dev-dependencies", "dev"), ("build-dependencies", "build")];
    let of_kind = |(key, kind): (&str, &'static str)| {
        let listed = table.get(key).and_then(Item::as_table_like);
        let listed = listed.into_iter().flat_map(TableLike::iter);
        listed.map(|(name, value)| dependency(name, value, kind, target)).collect::<Vec<_>>()
    };
    kinds.into_iter().flat_map(of_kind).collect()
}

fn dependency(name: &str, value: &Item, kind: &str, target: Option<&str>) -> Value {
    let get = |key: &str| value.as_table_like().and_then(|table| table.get(key));
    let is = |key: &str, usual: bool| get(key).and_then(Item::as_bool).unwrap_or(usual);
    let requirement = value.as_str().or_else(|| get("version").and_then(Item::as_str));
    json!({
        "name": name,
        "package": get("package").and_then(Item::as_str),
        "req": requirement.unwrap_or("*"),
        "features": get("features").map_or_else(|| json!([]), texts),
        "optional": is("optional", false),
        "default_features": is("default-features", true),
        "target": target,
        "kind": kind,
    })
}
