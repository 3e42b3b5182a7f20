//! After a change only what it can reach is compiled, and what is written is the same as if all had been.

use crate::manifest::{edit, project};
use opctl::manifest::{Manifests, Options, generate};
use opctl::report::Console;
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

/// A project of eight kinds, some of which share types.
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

/// Generates, then compiles everything and generates again: the same, and how many types were compiled the first time.
fn both(root: &Path) -> opctl::Result<(Manifests, Option<usize>)> {
    let shims = opctl::exec::target_folder(root).join("opctl");
    let partial = |folder: &Path| folder.join("narrow/answers.json");
    // Other projects may be compiled into the same target folder.
    let api = root.join("api").to_string_lossy().into_owned();
    let is_of_this =
        |folder: &PathBuf| fs::read_to_string(folder.join("Cargo.toml")).is_ok_and(|manifest| manifest.contains(&api));
    let entries = || fs::read_dir(&shims).into_iter().flatten().flatten();
    let folders = || entries().map(|entry| entry.path()).filter(is_of_this);
    folders().for_each(|folder| drop(fs::remove_file(partial(&folder))));
    let made = generate(root, &Options::default(), &Console::silent());
    let compiled = folders().find_map(|folder| fs::read_to_string(partial(&folder)).ok());
    let whole = generate(root, &Options { force: true, ..Options::default() }, &Console::silent());
    match (made, whole) {
        (Ok(made), Ok(whole)) => {
            assert_eq!(made.files, whole.files);
            Ok((made, compiled.map(|text| text.lines().count())))
        }
        (Err(made), Err(whole)) => {
            assert_eq!(made.message(), whole.message());
            Err(made)
        }
        (made, whole) => panic!("{:?} and {:?}", made.err(), whole.err()),
    }
}

#[test]
fn a_change_compiles_what_it_can_reach() {
    let root = laid();
    let file = |name: &str| format!("api/src/v1alpha1/{name}.rs");
    let crd =
        |made: &Manifests, plural: &str| made.files[&format!("config/crd/bases/example.com_{plural}.yaml")].clone();
    let (_, compiled) = both(&root).unwrap();
    assert_eq!(compiled, None, "the first time");

    edit(&root, &file("plain"), "    pub last", "    /// New.\n    pub fresh: i32,\n    pub last");
    let (made, compiled) = both(&root).unwrap();
    assert_eq!(compiled, Some(1));
    assert!(crd(&made, "plains").contains("description: New."));

    // Whoever uses a type of the file is asked, too.
    edit(&root, &file("owner"), "    pub name", "    /// The room.\n    pub room: i32,\n    pub name");
    let (made, compiled) = both(&root).unwrap();
    assert_eq!(compiled, Some(2));
    assert!(crd(&made, "renters").contains("description: The room."));
    edit(&root, &file("shared"), "    pub name", "    /// The floor.\n    pub floor: i32,\n    pub name");
    let (made, compiled) = both(&root).unwrap();
    assert_eq!(compiled, Some(2));
    assert!(crd(&made, "seconds").contains("description: The floor."));

    // A file that is included from then on counts.
    edit(&root, &file("other"), "    pub last", "    #[doc = include_str!(\"other.txt\")]\n    pub last");
    fs::write(root.join("api/src/v1alpha1/other.txt"), "From a file.").unwrap();
    let (made, compiled) = both(&root).unwrap();
    assert_eq!(compiled, Some(1));
    assert!(crd(&made, "others").contains("description: From a file."));
    fs::write(root.join("api/src/v1alpha1/other.txt"), "Changed.").unwrap();
    let (made, _) = both(&root).unwrap();
    assert!(crd(&made, "others").contains("description: Changed."));

    // A type that is gone, but used elsewhere, is the error that the whole crate has.
    edit(&root, &file("owner"), "Part", "Piece");
    assert_eq!(both(&root).unwrap_err().message(), "the API types do not compile");
    edit(&root, &file("renter"), "Part", "Piece");
    both(&root).unwrap();

    // What may reach further than names do is compiled with everything.
    let text = fs::read_to_string(root.join(file("another"))).unwrap();
    fs::write(root.join(file("another")), text + "\nimpl Default for super::shared::Shared {\n    fn default() -> Self {\n        Shared { floor: 1, name: String::new() }\n    }\n}\nuse super::shared::Shared;\n").unwrap();
    assert_eq!(both(&root).unwrap().1, None);

    // A file that only the compiler finds.
    let inner = "mod inner {\n    mod part;\n}\n\n/// What";
    edit(&root, &file("second"), "/// What", inner);
    fs::create_dir_all(root.join("api/src/v1alpha1/second/inner")).unwrap();
    fs::write(root.join("api/src/v1alpha1/second/inner/part.rs"), "pub struct Unused;\n").unwrap();
    assert_eq!(both(&root).unwrap().1, None);
    edit(&root, &file("plain"), "fresh", "fresher");
    assert_eq!(both(&root).unwrap().1, None);
}
