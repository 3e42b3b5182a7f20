//! A registry in a folder (<https://doc.rust-lang.org/cargo/reference/source-replacement.html#local-registry-sources>).

use crate::support::{must, tool, with_network};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, Item, TableLike};

/// A registry that stands in for crates.io.
pub(super) struct Registry(PathBuf);

impl Registry {
    /// Makes a registry with the crates of these lock files of the repository.
    pub(super) fn new(folder: &Path, locks: &[&str]) -> Self {
        fs::create_dir_all(folder.join("index")).unwrap();
        let registry = Registry(folder.to_owned());
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

    /// Adds a package, as `cargo publish` would.
    pub(super) fn publish(&self, package: &Path) {
        let name = package.file_name().unwrap();
        let target = self.0.join(name);
        if target.exists() {
            return;
        }
        fs::copy(package, &target).unwrap();
        let entry = entry(&fs::read(package).unwrap());
        let index = self.0.join("index").join(place(entry["name"].as_str().unwrap()));
        fs::create_dir_all(index.parent().unwrap()).unwrap();
        let known = fs::read_to_string(&index).unwrap_or_default();
        fs::write(index, format!("{known}{entry}\n")).unwrap();
    }

    /// Lets cargo use this registry instead of crates.io in and below a folder.
    pub(super) fn configure(&self, folder: &Path) {
        let config = folder.join(".cargo/config.toml");
        fs::create_dir_all(config.parent().unwrap()).unwrap();
        let replaced = "[source.crates-io]\nreplace-with = \"published\"\n";
        fs::write(config, format!("{replaced}[source.published]\nlocal-registry = \"{}\"\n", self.0.display()))
            .unwrap();
    }
}

/// Downloads what is missing, and returns the packages that cargo has, by their names with versions.
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

/// Returns the names with versions of the packages of a lock file that are from a registry.
fn locked(lock: &str) -> Vec<String> {
    let packages = lock.split("[[package]]\n").skip(1).filter(|package| package.contains("checksum = "));
    let value = |package: &str, key: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(&format!("{key} = \"")));
        line.unwrap().trim_end_matches('"').to_owned()
    };
    packages.map(|package| format!("{}-{}", value(package, "name"), value(package, "version"))).collect()
}

/// Returns the path of a crate in an index.
fn place(name: &str) -> String {
    match name.len() {
        1 => format!("1/{name}"),
        2 => format!("2/{name}"),
        3 => format!("3/{}/{name}", &name[..1]),
        _ => format!("{}/{}/{name}", &name[..2], &name[2..4]),
    }
}

/// Returns the entry of a package in the index, from the manifest in it.
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

/// Returns the dependencies in a manifest's table, which are for a target or for all.
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
