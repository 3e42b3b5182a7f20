//! After a change, opctl compiles only the types that the change can reach, and writes the same manifests as from a
//! full compilation.

use crate::manifest::{edit, project};
use crate::support::apart;
use opctl::test_api::manifest::{Manifests, Options, generate};
use opctl::test_api::report::Console;
use std::fs;
use std::path::{Path, PathBuf};

fn kind(name: &str, uses: &str, fields: &str) -> String {
    let plural = format!("{}s", name.to_lowercase());
    format!(
        "use kube::CustomResource;\nuse schemars::JsonSchema;\nuse serde::{{Deserialize, Serialize}};\n{uses}\n\
         /// What the user asks for.\n#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]\n\
         #[kube(group = \"example.com\", version = \"v1alpha1\", kind = \"{name}\", plural = \"{plural}\", namespaced)]\n\
         pub struct {name}Spec {{\n{fields}    pub last: String,\n}}\n"
    )
}

/// Makes a project of eight kinds, some of which share types, and returns its folder.
fn laid() -> PathBuf {
    let root = project("narrow");
    let folder = root.join("api/src/v1alpha1");
    let shared = "    pub shared: super::shared::Shared,\n";
    let mut modules = fs::read_to_string(folder.join("mod.rs")).unwrap();
    for (name, uses, fields) in [
        ("Plain", "", ""),
        ("Owner", "", "    pub part: Part,\n"),
        ("Renter", "use super::owner::Part;", "    pub part: Part,\n"),
        ("First", "", shared),
        ("Second", "", shared),
        ("Other", "", ""),
        ("Another", "", ""),
    ] {
        let mut text = kind(name, uses, fields);
        if name == "Owner" {
            text += "\n/// A part.\n#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug)]\npub struct Part {\n    pub name: String,\n}\n";
        }
        let module = name.to_lowercase();
        fs::write(folder.join(format!("{module}.rs")), text).unwrap();
        modules += &format!("\nmod {module};\npub use {module}::*;\n");
    }
    let shared = "/// Shared.\n#[derive(schemars::JsonSchema, serde::Serialize, serde::Deserialize, Clone, Debug)]\n\
                  pub struct Shared {\n    pub name: String,\n}\n";
    fs::write(folder.join("shared.rs"), shared).unwrap();
    fs::write(folder.join("mod.rs"), modules + "\nmod shared;\n").unwrap();
    root
}

/// Returns the folders in which a project's types are compiled.
fn shims(root: &Path) -> Vec<PathBuf> {
    // Other projects may be compiled into the same target folder.
    let api = root.join("api").to_string_lossy().into_owned();
    let is_of_this =
        |folder: &PathBuf| fs::read_to_string(folder.join("Cargo.toml")).is_ok_and(|manifest| manifest.contains(&api));
    let entries =
        fs::read_dir(opctl::test_api::exec::target_folder(root).join("opctl")).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(is_of_this).collect()
}

/// Returns the number of types that a compiled program of opctl (`narrow` or `all`) has processed. `None` if the
/// program has not run to its end.
fn answered(root: &Path, program: &str) -> Option<usize> {
    let answers = |folder: PathBuf| fs::read_to_string(folder.join(program).join("answers.json")).ok();
    let whole =
        shims(root).into_iter().find_map(answers).and_then(|text| text.strip_suffix("end\n").map(str::to_owned));
    whole.map(|answers| answers.lines().count())
}

/// Generates the manifests, generates them again with everything compiled, and checks that both results are equal.
/// Returns the manifests, and the number of types that the first run compiled, or `None` if the first run compiled all
/// types.
fn both(root: &Path) -> opctl::Result<(Manifests, Option<usize>)> {
    for folder in shims(root) {
        for program in ["narrow", "all"] {
            drop(fs::remove_file(folder.join(program).join("answers.json")));
        }
    }
    let made = generate(root, &Options::default(), &Console::silent());
    let compiled = answered(root, "narrow");
    let whole = generate(root, &Options { force: true, ..Options::default() }, &Console::silent());
    match (made, whole) {
        (Ok(made), Ok(whole)) => {
            assert_eq!(made.files, whole.files);
            Ok((made, compiled))
        }
        (Err(made), Err(whole)) => {
            assert_eq!(made.message(), whole.message());
            Err(made)
        }
        (made, whole) => panic!("{:?} and {:?}", made.err(), whole.err()),
    }
}

/// Returns the path of the module that defines the type of this name.
fn module(name: &str) -> String {
    format!("api/src/v1alpha1/{name}.rs")
}

fn crd<'a>(made: &'a Manifests, plural: &str) -> &'a str {
    &made.files[format!("config/crd/bases/example.com_{plural}.yaml").as_str()]
}

#[test]
fn a_change_compiles_what_it_can_reach() {
    apart!();
    let root = laid();
    let (_, compiled) = both(&root).unwrap();
    assert_eq!((compiled, answered(&root, "all")), (None, Some(8)), "the first time");

    edit(&root, &module("plain"), "    pub last", "    /// New.\n    pub fresh: i32,\n    pub last");
    let (made, compiled) = both(&root).unwrap();
    assert_eq!(compiled, Some(1));
    assert!(crd(&made, "plains").contains("description: New."));

    kinds_that_use_a_changed_type_are_compiled(&root);
    a_newly_included_file_is_tracked(&root);
    a_type_that_is_missing_gives_the_error_of_the_whole_crate(&root);
    a_trait_impl_compiles_everything(&root);
    a_default_that_calls_code_compiles_the_whole_crate(&root);
    a_module_file_that_only_the_compiler_finds_compiles_everything(&root);
}

fn kinds_that_use_a_changed_type_are_compiled(root: &Path) {
    edit(root, &module("owner"), "    pub name", "    /// The room.\n    pub room: i32,\n    pub name");
    let (made, compiled) = both(root).unwrap();
    assert_eq!(compiled, Some(2));
    assert!(crd(&made, "renters").contains("description: The room."));
    edit(root, &module("shared"), "    pub name", "    /// The floor.\n    pub floor: i32,\n    pub name");
    let (made, compiled) = both(root).unwrap();
    assert_eq!(compiled, Some(2));
    assert!(crd(&made, "seconds").contains("description: The floor."));
}

fn a_newly_included_file_is_tracked(root: &Path) {
    edit(root, &module("other"), "    pub last", "    #[doc = include_str!(\"other.txt\")]\n    pub last");
    fs::write(root.join("api/src/v1alpha1/other.txt"), "From a file.").unwrap();
    let (made, compiled) = both(root).unwrap();
    assert_eq!(compiled, Some(1));
    assert!(crd(&made, "others").contains("description: From a file."));
    fs::write(root.join("api/src/v1alpha1/other.txt"), "Changed.").unwrap();
    let (made, _) = both(root).unwrap();
    assert!(crd(&made, "others").contains("description: Changed."));
}

/// Checks that a type that is removed but used elsewhere gives the same error as a compilation of the whole crate.
fn a_type_that_is_missing_gives_the_error_of_the_whole_crate(root: &Path) {
    edit(root, &module("owner"), "Part", "Piece");
    assert_eq!(both(root).unwrap_err().message(), "the API types do not compile");
    edit(root, &module("renter"), "Part", "Piece");
    both(root).unwrap();
}

const DEFAULT_OF_SHARED: &str = "
impl Default for super::shared::Shared {
    fn default() -> Self {
        Shared { floor: 1, name: String::new() }
    }
}
use super::shared::Shared;
";

/// Checks that a trait impl makes opctl compile all types, because an impl may affect types that it does not name.
fn a_trait_impl_compiles_everything(root: &Path) {
    let text = fs::read_to_string(root.join(module("another"))).unwrap();
    fs::write(root.join(module("another")), text + DEFAULT_OF_SHARED).unwrap();
    assert_eq!(both(root).unwrap().1, None);
}

const READ: &str = r##"
fn read() -> super::shared::Shared {
    serde_json::from_str(r#"{"name": "read", "floor": 7}"#).unwrap()
}
"##;

/// Checks that opctl compiles the whole crate if a default calls a function, because a narrow compilation leaves out
/// the code of this function.
fn a_default_that_calls_code_compiles_the_whole_crate(root: &Path) {
    assert_eq!(answered(root, "all"), Some(8));
    let text = fs::read_to_string(root.join(module("first"))).unwrap();
    let text = text.replace("    pub shared", "    #[serde(default = \"read\")]\n    pub shared") + READ;
    fs::write(root.join(module("first")), text).unwrap();
    for folder in shims(root) {
        fs::remove_file(folder.join("cache.json")).unwrap();
    }
    let (made, compiled) = both(root).unwrap();
    assert_eq!((compiled, answered(root, "all")), (None, None));
    assert!(crd(&made, "firsts").contains("name: read"), "{}", crd(&made, "firsts"));
}

fn a_module_file_that_only_the_compiler_finds_compiles_everything(root: &Path) {
    let inner = "mod inner {\n    mod part;\n}\n\n/// What";
    edit(root, &module("second"), "/// What", inner);
    fs::create_dir_all(root.join("api/src/v1alpha1/second/inner")).unwrap();
    fs::write(root.join("api/src/v1alpha1/second/inner/part.rs"), "pub struct Unused;\n").unwrap();
    assert_eq!(both(root).unwrap().1, None);
    edit(root, &module("plain"), "fresh", "fresher");
    assert_eq!(both(root).unwrap().1, None);
}
