//! Records the inputs that the CRDs were generated from, so that opctl detects outdated CRDs without compiling.
//!
//! The record is committed, so that a fresh clone has it. It covers the files of the api crates below the project's
//! folder, the files that they include, and their path dependencies. A Rust file is recorded by its tokens and its
//! `+opctl:allow` markers; other comments, the formatting and test code do not matter. A crate's manifest is recorded
//! by the parts that affect the build. The record does not cover the versions in `Cargo.lock`. If another version of a
//! dependency changes a CRD, `opctl manifests --check` detects the change, because that command compiles the types.

use super::options::Options;
use crate::plan::hash;
use crate::reading::{self, Limit};
use crate::source::api_crate::ApiCrate;
use crate::source::cargo_manifest::read_manifest;
use crate::source::crate_sources::{Source, rust_files};
use crate::syntax;
use crate::webhook_markers::Converted;
use crate::{Result, error::file_error};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};
use toml_edit::{DocumentMut, Item};

/// The path of the record of inputs, relative to the project's root.
pub const INPUTS_FILE: &str = ".opctl/inputs.txt";

const HEADER: &str = "# What `opctl manifests` generated the CRDs from, by hash. Commit this file.\n";

/// The hashes of the inputs, by path relative to the project's root. After a merge, a file may have a hash of each
/// branch, and a match with any of the hashes counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs(BTreeMap<String, BTreeSet<String>>);

impl Inputs {
    /// Parses the record of inputs; skips lines of another form, such as conflict markers.
    pub fn parse(text: &str) -> Self {
        let mut inputs = Inputs::default();
        for (hash, path) in text.lines().filter_map(|line| line.split_once("  ")) {
            if hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                inputs.add(path, hash.to_owned());
            }
        }
        inputs
    }

    /// Returns the text of the record, with a line for each hash, sorted by the path of the file.
    pub fn to_text(&self) -> String {
        let lines = self.0.iter().flat_map(|(path, hashes)| hashes.iter().map(move |hash| (hash, path)));
        lines.fold(HEADER.to_owned(), |text, (hash, path)| text + hash + "  " + path + "\n")
    }

    /// Returns a sentence about one input that was added, changed or removed since `record` was written. Returns `None`
    /// if
    /// all inputs are unchanged.
    pub fn change_since(&self, record: &Inputs) -> Option<String> {
        let changed = self.0.iter().find_map(|(path, now)| match record.0.get(path) {
            None => Some(format!("`{path}` is new")),
            Some(then) if then.is_disjoint(now) => Some(format!("`{path}` has changed")),
            Some(_) => None,
        });
        changed.or_else(|| {
            record.0.keys().find(|path| !self.0.contains_key(*path)).map(|path| format!("`{path}` is gone"))
        })
    }

    /// Reads the current inputs of the CRDs: the api crates, and the kinds that the operator converts.
    pub(super) fn read(root: &Path, options: &Options, sources: &[Source], converted: &[Converted]) -> Result<Self> {
        let (mut inputs, limit) = (Inputs::default(), options.max_description_length);
        // PROJECT may limit the length of descriptions, which changes the CRDs.
        inputs.add("PROJECT", hash(&format!("{limit:?}")));
        for file in converted.iter().map(|one| &one.file).collect::<BTreeSet<_>>() {
            let kinds = converted.iter().filter(|one| one.file == *file);
            let kinds: Vec<String> = kinds.map(|one| format!("{}.{}", one.kind, one.group)).collect();
            inputs.add_path(file, hash(&kinds.join("\n")));
        }
        let mut included = BTreeSet::new();
        let root_manifest = read_manifest(&root.join("Cargo.toml")).unwrap_or_default();
        let crates = crates(root, &options.apis, &root_manifest)?;
        inputs.add(
            "Cargo.toml",
            hash(&inherited_dependencies(crates.iter().map(|(_, manifest)| manifest), &root_manifest)),
        );
        for (folder, manifest) in crates {
            inputs.add_path(&folder.join("Cargo.toml"), hash(&parts_that_affect_the_build(&manifest)));
            let known = sources.iter().filter(|source| source.file.starts_with(folder.join("src")));
            let known: Vec<&Source> = known.collect();
            for source in &known {
                included.extend(inputs.add_rust(&source.file, &source.without_tests()));
            }
            let script = Some(folder.join("build.rs")).filter(|script| root.join(script).is_file());
            let unknown = if known.is_empty() { rust_files(root, &folder.join("src"))? } else { Vec::new() };
            for file in unknown.into_iter().chain(script) {
                let text = reading::rust(root.join(&file)).map_err(|error| file_error("read", &file, &error))?;
                included.extend(inputs.add_rust(&file, &text));
            }
        }
        for file in included {
            if let Ok(bytes) = reading::bytes(root.join(&file), Limit::Bundle) {
                inputs.add_path(&file, hash(&String::from_utf8_lossy(&bytes)));
            }
        }
        Ok(inputs)
    }

    fn add(&mut self, path: &str, hash: String) {
        self.0.entry(path.to_owned()).or_default().insert(hash);
    }

    fn add_path(&mut self, path: &Path, hash: String) {
        self.add(&path.to_string_lossy().replace('\\', "/"), hash);
    }

    /// Adds the hash of a Rust file. Returns the paths of the files that the Rust file includes with `include!`,
    /// `include_str!` or `include_bytes!`.
    fn add_rust(&mut self, file: &Path, text: &str) -> Vec<PathBuf> {
        let text = text.replace("\r\n", "\n");
        let Some(stream) = syntax::tokens(&text) else {
            self.add_path(file, hash(&text));
            return Vec::new();
        };
        let (mut tokens, mut names) = (String::with_capacity(text.len()), Vec::new());
        spell(stream, &mut tokens, &mut names);
        // The only comments that change a CRD.
        tokens.extend(text.lines().filter(|line| line.contains("+opctl:allow")).map(str::trim));
        self.add_path(file, hash(&tokens));
        let beside = file.parent().unwrap_or(Path::new(""));
        names.iter().filter_map(|name| below_root(&beside.join(name))).collect()
    }
}

/// Appends the tokens of `stream` to `text`. Appends to `included` the file names in the macros `include!`,
/// `include_str!` and `include_bytes!`.
fn spell(stream: TokenStream, text: &mut String, included: &mut Vec<String>) {
    let mut at_macro = false;
    for token in stream {
        // Writing to a string cannot fail.
        let _ = match &token {
            TokenTree::Ident(ident) => write!(text, "{ident} "),
            TokenTree::Punct(punct) => write!(text, "{} ", punct.as_char()),
            TokenTree::Literal(literal) => write!(text, "{literal} "),
            TokenTree::Group(group) => {
                if at_macro && let Ok(name) = syn::parse2::<syn::LitStr>(group.stream()) {
                    included.push(name.value());
                }
                let _ = write!(text, "{:?}( ", group.delimiter());
                spell(group.stream(), text, included);
                write!(text, ") ")
            }
        };
        let macros = ["include", "include_str", "include_bytes"];
        at_macro = match &token {
            TokenTree::Ident(ident) => macros.iter().any(|name| ident == name),
            TokenTree::Punct(punct) => at_macro && punct.as_char() == '!',
            _ => false,
        };
    }
}

/// Returns the folders of the api crates and of their path dependencies below the root, each with the crate's manifest.
fn crates(root: &Path, apis: &[ApiCrate], root_manifest: &DocumentMut) -> Result<Vec<(PathBuf, DocumentMut)>> {
    let inherited = root_manifest.get("workspace").and_then(|workspace| workspace.get("dependencies"));
    let there = apis.iter().map(|api| &api.folder).filter(|folder| root.join(folder).join("Cargo.toml").is_file());
    let (mut folders, mut crates) = (there.cloned().collect::<Vec<_>>(), Vec::new());
    while let Some(folder) = folders.get(crates.len()).cloned() {
        let manifest = read_manifest(&root.join(&folder).join("Cargo.toml"))?;
        let dependencies = manifest.get("dependencies").and_then(Item::as_table_like);
        for (name, dependency) in dependencies.into_iter().flat_map(|table| table.iter()) {
            let own = dependency.get("path").and_then(Item::as_str).map(|path| folder.join(path));
            let shared = || Some(PathBuf::from(inherited?.get(name)?.get("path")?.as_str()?));
            let path = own.or_else(shared).and_then(|path| below_root(&path));
            if let Some(path) = path.filter(|path| root.join(path).join("Cargo.toml").is_file())
                && !folders.contains(&path)
            {
                folders.push(path);
            }
        }
        crates.push((folder, manifest));
    }
    Ok(crates)
}

/// Returns the path without `..`; `None` if the path leads out of the root.
fn below_root(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => normal.push(name),
            Component::CurDir => {}
            Component::ParentDir if normal.pop() => {}
            _ => return None,
        }
    }
    Some(normal)
}

/// Returns the parts of a crate's manifest that affect the build, such as the dependencies. Leaves out, for example,
/// the version and the description.
fn parts_that_affect_the_build(manifest: &DocumentMut) -> String {
    let edition = manifest.get("package").and_then(|package| package.get("edition"));
    let keys = ["features", "lib", "dependencies", "build-dependencies", "target"];
    let items = edition.into_iter().chain(keys.iter().filter_map(|key| manifest.get(key)));
    items.map(|item| item.to_string().trim().to_owned() + "\n").collect()
}

/// Returns, as text, the entries of `workspace.dependencies` in `root_manifest` that the crates in `manifests` inherit.
fn inherited_dependencies<'a>(manifests: impl Iterator<Item = &'a DocumentMut>, root_manifest: &DocumentMut) -> String {
    let dependencies = |item: &'a Item| item.get("dependencies").and_then(Item::as_table_like);
    let each = manifests.filter_map(|manifest| dependencies(manifest.as_item())).flat_map(|table| table.iter());
    let names: BTreeSet<&str> =
        each.filter(|(_, dependency)| dependency.get("workspace").is_some()).map(|(name, _)| name).collect();
    let known = root_manifest.get("workspace").and_then(|workspace| workspace.get("dependencies"));
    let items = names.iter().filter_map(|name| Some((name, known?.get(name)?)));
    items.map(|(name, item)| [name, " = ", item.to_string().trim(), "\n"].concat()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> (String, BTreeSet<PathBuf>) {
        let mut inputs = Inputs::default();
        let included = inputs.add_rust(Path::new("api/src/lib.rs"), text);
        (inputs.to_text(), BTreeSet::from_iter(included))
    }

    #[test]
    fn layout_and_comments_do_not_count_and_everything_else_does() {
        let (base, _) = of("/// A size.\npub struct Size { pub of: Vec<Vec<u8>> }\n");
        let (same, _) = of("// Why.\r\n/// A size.\r\npub struct Size {\r\n    pub of: Vec<Vec<u8> >\r\n}\r\n");
        assert_eq!(base, same);
        for other in [
            "/// A length.\npub struct Size { pub of: Vec<Vec<u8>> }\n",
            "/// A size.\npub struct Size { pub of: Vec<Vec<u16>> }\n",
            "/// A size.\n#[serde(default)]\npub struct Size { pub of: Vec<Vec<u8>> }\n",
            "/// A size.\npub struct Size { pub of: Vec<Vec<u8>> ",
            "// +opctl:allow:OP620 reason=\"it is new\"\n/// A size.\npub struct Size { pub of: Vec<Vec<u8>> }\n",
        ] {
            assert_ne!(of(other).0, base, "{other}");
        }
    }

    #[test]
    fn files_that_the_source_includes_are_found() {
        let (_, included) = of(
            "#[doc = include_str!(\"../page.md\")]\nstruct A;\nconst B: &str = include_str!(\"b.txt\");\n\
                                const C: &str = include_str!(concat!(\"c\"));\nconst D: &str = include_str!(\"../../../d\");\n",
        );
        assert_eq!(included, BTreeSet::from([PathBuf::from("api/page.md"), PathBuf::from("api/src/b.txt")]));
    }

    #[test]
    fn a_change_is_named_and_a_merge_of_two_records_holds_for_both() {
        let (one, other) = ("a".repeat(64), "b".repeat(64));
        let record = |lines: &[(&str, &str)]| {
            Inputs::parse(&lines.iter().map(|(hash, path)| [*hash, "  ", *path, "\n"].concat()).collect::<String>())
        };
        let now = record(&[(&one, "api/src/lib.rs")]);
        assert_eq!(Inputs::parse(&now.to_text()), now);
        assert_eq!(now.change_since(&now), None);
        let told = |then: &[(&str, &str)]| now.change_since(&record(then)).unwrap_or_default();
        assert_eq!(told(&[(&other, "api/src/lib.rs")]), "`api/src/lib.rs` has changed");
        assert_eq!(told(&[]), "`api/src/lib.rs` is new");
        assert_eq!(told(&[(&one, "api/src/lib.rs"), (&one, "api/src/old.rs")]), "`api/src/old.rs` is gone");
        let merged = [("<<<<<<<", "ours"), (one.as_str(), "api/src/lib.rs"), (other.as_str(), "api/src/lib.rs")];
        assert_eq!(told(&merged), "");
    }

    #[test]
    fn a_release_of_the_crate_changes_nothing() {
        let built = |text: &str| parts_that_affect_the_build(&text.parse().expect("TOML"));
        let base = "[package]\nname = \"a\"\nversion = \"1.0.0\"\nedition = \"2024\"\n[dependencies]\nkube = \"5\"\n";
        assert_eq!(built(base), built(&base.replace("1.0.0", "1.1.0")));
        assert_ne!(built(base), built(&base.replace("kube = \"5\"", "kube = \"6\"")));
        assert_ne!(built(base), built(&base.replace("2024", "2021")));
    }
}
