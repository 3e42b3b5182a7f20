//! Finds the tests that `opctl test` does not run, because the reason in their `#[ignore]` attribute is not `opctl
//! test`.
//!
//! libtest lists the ignored tests but not the reasons, so opctl reads the `#[ignore]` attributes in the source. The
//! module of a test follows from the path of the file; items that a macro generates, and modules with a `#[path]`
//! attribute, are not found.

use crate::reading::{self, Limit};
use crate::syntax;
use std::fs;
use std::path::{Component, Path, PathBuf};
use syn::{Attribute, Expr, Item, Lit, Meta};

/// The reason in the `#[ignore]` attribute of tests that need the API server.
const REASON: &str = "opctl test";
/// The reason in the `#[ignore]` attribute of tests that need the deployed operator.
const END_TO_END: &str = "opctl test --e2e";

/// An ignored test, with its name in libtest.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ignored {
    pub(super) name: String,
    /// True if exactly one test has the name; false if a macro generates several tests whose names begin with it.
    pub(super) single: bool,
    /// True if the test needs the deployed operator.
    pub(super) end_to_end: bool,
}

/// Returns the ignored tests of all packages in and below `root`, except the tests that are ignored because they need
/// the API server.
pub(super) fn for_other_reasons(root: &Path) -> Vec<Ignored> {
    let (mut others, mut ours) = (Vec::new(), Vec::new());
    for file in rust_files(root) {
        let Ok(text) = reading::text(&file, Limit::Source) else { continue };
        // Most files need not be parsed. A file that cannot be parsed is skipped: rustc reports the error.
        if let (true, Ok(syntax)) = (text.contains("ignore"), syntax::parse_file(&text)) {
            let module = module(file.strip_prefix(root).unwrap_or(&file));
            collect(&syntax.items, &module, &mut others, &mut ours);
        }
    }
    others.sort();
    others.dedup();
    // A test of the same name in another program may need the API server, and must run.
    others.retain(|other| !ours.contains(&other.name));
    others
}

fn collect(items: &[Item], module: &[String], others: &mut Vec<Ignored>, ours: &mut Vec<String>) {
    for item in items {
        match item {
            Item::Mod(item) => {
                let Some((_, items)) = &item.content else { continue };
                let inner: Vec<String> = module.iter().cloned().chain([item.ident.to_string()]).collect();
                collect(items, &inner, others, ours);
            }
            Item::Fn(item) => {
                let Some(ignore) = item.attrs.iter().find(|attribute| attribute.path().is_ident("ignore")) else {
                    continue;
                };
                let name: Vec<String> = module.iter().cloned().chain([item.sig.ident.to_string()]).collect();
                let reason = reason(ignore);
                if reason.as_deref() == Some(REASON) {
                    ours.push(name.join("::"));
                } else {
                    let is_test = |attribute: &Attribute| {
                        attribute.path().segments.last().is_some_and(|last| last.ident == "test")
                    };
                    others.push(Ignored {
                        name: name.join("::"),
                        single: item.attrs.iter().any(is_test),
                        end_to_end: reason.as_deref() == Some(END_TO_END),
                    });
                }
            }
            _ => {}
        }
    }
}

fn reason(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(meta) => match &meta.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// Returns the Rust files in and below `root`, except those in hidden folders and in target folders.
fn rust_files(root: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => {
                    // Cargo marks its target folders by this file.
                    let built = name == "target" || path.join("CACHEDIR.TAG").exists();
                    if !built && !name.to_string_lossy().starts_with('.') {
                        folders.push(path);
                    }
                }
                Ok(kind) if kind.is_file() && path.extension().is_some_and(|extension| extension == "rs") => {
                    files.push(path);
                }
                _ => {}
            }
        }
    }
    files
}

/// Returns the module path of the Rust file `file`, relative to the root of the file's crate (The Cargo Book, "Package
/// Layout").
fn module(file: &Path) -> Vec<String> {
    let parts: Vec<String> = file.components().filter_map(normal).collect();
    let Some(top) = parts.iter().position(|part| part == "src" || part == "tests") else { return Vec::new() };
    let mut below = parts[top + 1..].to_vec();
    let program = if parts[top] == "tests" {
        1
    } else if below.first().is_some_and(|first| first == "bin") {
        2
    } else {
        0
    };
    below.drain(..program.min(below.len()));
    let Some(last) = below.pop() else { return Vec::new() };
    let stem = last.trim_end_matches(".rs");
    let is_root = below.is_empty() && ["lib", "main"].contains(&stem);
    if !is_root && stem != "mod" {
        below.push(stem.to_owned());
    }
    below
}

fn normal(component: Component<'_>) -> Option<String> {
    match component {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_named_as_libtest_does() {
        for (file, expected) in [
            ("src/lib.rs", ""),
            ("src/main.rs", ""),
            ("src/controller/web_server.rs", "controller::web_server"),
            ("src/controller/mod.rs", "controller"),
            ("src/bin/tool.rs", ""),
            ("src/bin/tool/main.rs", ""),
            ("src/bin/tool/part.rs", "part"),
            ("api/src/apps/v1/disk.rs", "apps::v1::disk"),
            ("tests/load.rs", ""),
            ("tests/it/main.rs", ""),
            ("tests/it/apps/database.rs", "apps::database"),
            ("tests/it/support/mod.rs", "support"),
        ] {
            assert_eq!(module(Path::new(file)).join("::"), expected, "{file}");
        }
    }

    #[test]
    fn the_reason_decides() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        };
        write(
            "tests/it/web_server.rs",
            r#"#[tokio::test] #[ignore = "opctl test"] async fn ready() {}
            mod inner { #[test] #[ignore = "takes an hour"] fn load() {} }
            #[rstest] #[ignore] fn many() {}
            #[test] fn plain() {}"#,
        );
        write("tests/load.rs", "#[test] #[ignore] fn load() {} #[test] #[ignore] fn ready() {}");
        write("tests/broken.rs", "#[test] #[ignore] fn {");
        write("api/src/lib.rs", "#[cfg(test)] mod tests { #[test] #[ignore] fn slow() {} }");
        write("out/CACHEDIR.TAG", "");
        write("out/src/lib.rs", "#[test] #[ignore] fn built() {}");
        write("tests/ready.rs", "#[test] #[ignore = \"opctl test\"] fn ready() {}");
        let found: Vec<_> = for_other_reasons(folder.path()).into_iter().map(|test| (test.name, test.single)).collect();
        let expected =
            [("load", true), ("tests::slow", true), ("web_server::inner::load", true), ("web_server::many", false)];
        assert_eq!(found, expected.map(|(name, single)| (name.to_owned(), single)));
    }
}
