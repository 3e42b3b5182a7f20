//! The project in which cases are compiled: `testdata/corpus/project` with a module for each case.

use super::cases::{Case, folder};
use crate::support::{cargo_in, is_apart, lay, must, opctl, projects, target_folder, text, tool};
use opctl::test_api::report::Console;
use opctl::test_api::source::ApiCrate;
use opctl::test_api::type_program::{self, Answer, Request};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

pub(crate) struct Project {
    root: PathBuf,
}

/// The result of `opctl manifests`.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) said: String,
    /// The findings by case.
    pub(crate) findings: BTreeMap<String, String>,
}

impl Project {
    /// Writes the project with these cases, always to the same path. Leaves unchanged files as they are, so that cargo
    /// has little to compile.
    pub(crate) fn lay(name: &str, cases: &[Case]) -> Self {
        let root = projects().join("corpus").join(name);
        let mut files = BTreeMap::new();
        let mut areas: BTreeMap<String, String> = BTreeMap::new();
        let mut table = String::from("pub static TYPES: &[(&str, super::Rewrite)] = &[\n");
        for case in cases {
            let (area, module) = case.modules();
            let _ = writeln!(areas.entry(area.clone()).or_default(), "pub mod {module};");
            files.insert(format!("api/src/{area}/{module}.rs"), case.types.clone());
            for path in case.api_types().iter().map(|api_type| &api_type.path) {
                let _ = writeln!(table, "    ({path:?}, super::rewrite::<api::{path}>),");
            }
        }
        files.insert("src/types.rs".to_owned(), table + "];\n");
        let lines: Vec<String> = areas.keys().map(|area| format!("pub mod {area};\n")).collect();
        files.insert("api/src/lib.rs".to_owned(), lines.concat());
        files.extend(areas.into_iter().map(|(area, modules)| (format!("api/src/{area}/mod.rs"), modules)));
        let skeleton = folder().join("project");
        for file in ["Cargo.toml", "Cargo.lock", "api/Cargo.toml", "src/main.rs"] {
            files.insert(file.to_owned(), fs::read_to_string(skeleton.join(file)).unwrap());
        }
        // One test at a time, because two tests lay the same project, and one of them does it in another process.
        fs::create_dir_all(&root).unwrap();
        let laying = fs::File::create(root.join("lock")).unwrap();
        laying.lock().unwrap();
        let sources: BTreeSet<PathBuf> = files.keys().map(|file| root.join(file)).collect();
        remove_others(&root.join("api/src"), &sources);
        for (file, content) in files {
            let path = root.join(file);
            if fs::read(&path).is_ok_and(|old| old == content.as_bytes()) {
                continue;
            }
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        drop(laying);
        Project { root }
    }

    /// Removes the files that earlier commands generated in the project, and runs `opctl manifests`.
    pub(crate) fn manifests(&self) -> Run {
        for left in ["config", ".opctl"] {
            let _ = fs::remove_dir_all(self.root.join(left));
        }
        let skeleton = folder().join("project");
        lay(&skeleton.join("config"), &self.root.join("config"));
        fs::copy(skeleton.join("PROJECT"), self.root.join("PROJECT")).unwrap();
        let output = opctl(&["manifests", "--color", "never"])
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", target_folder())
            .output()
            .unwrap();
        let said = text(&output.stderr);
        Run { code: output.status.code(), findings: findings(&said), said }
    }

    /// Compiles the types of the cases. Returns the schemas and the names of each type.
    pub(crate) fn answers(&self, cases: &[Case]) -> Vec<Answer> {
        assert!(is_apart(), "begin the test with `apart!()`");
        let api_types: Vec<_> = cases.iter().flat_map(Case::api_types).collect();
        let types: Vec<String> = api_types.iter().map(|api_type| api_type.path.clone()).collect();
        let roots: Vec<_> =
            api_types.iter().map(|api_type| (api_type.file.clone(), api_type.resource.root.clone())).collect();
        let (api, target) = (ApiCrate::library("api"), target_folder());
        let request = Request {
            root: &self.root,
            api: &api,
            first: true,
            target: &target,
            types: &types,
            roots: &roots,
            force: false,
        };
        type_program::answers(&request, &Console::silent()).unwrap().0
    }

    /// Returns the CRDs that `opctl manifests` has written for the cases, by the name of the case.
    pub(crate) fn definitions(&self, cases: &[Case]) -> BTreeMap<String, String> {
        let mut owners = BTreeMap::new();
        for case in cases {
            for api_type in case.api_types() {
                let key = (api_type.resource.group, api_type.resource.kind);
                let other = owners.insert(key, case.name.clone());
                assert!(other.is_none_or(|other| other == case.name), "{}: the kind is another case's, too", case.name);
            }
        }
        let mut definitions: BTreeMap<String, String> = BTreeMap::new();
        let folder = self.root.join("config/crd/bases");
        let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            let definition: Value = serde_yaml::from_str(&text).unwrap();
            let word = |pointer: &str| definition.pointer(pointer).and_then(Value::as_str).unwrap().to_owned();
            let key = (word("/spec/group"), word("/spec/names/kind"));
            let owner = owners.get(&key).unwrap_or_else(|| panic!("{} is no case's", file.display()));
            let text = text.replace(env!("CARGO_PKG_VERSION"), "[VERSION]");
            definitions.entry(owner.clone()).or_default().push_str(&text);
        }
        definitions
    }

    /// Deserializes the object in each request as the Rust type whose path is in the request, and returns the object as
    /// this type serializes it, or the error.
    pub(crate) fn rewrite(&self, requests: &[(String, Value)]) -> Vec<Result<Value, String>> {
        // Where opctl compiles the types, and with its flags, so that nothing is compiled twice.
        let target = target_folder().join("opctl/target");
        let flags = ["build", "--locked", "--quiet", "--config", "build.rustflags=['--cap-lints=allow']"];
        must(cargo_in(&self.root, &flags).env("CARGO_TARGET_DIR", &target));
        let mut program = tool(target.join("debug/corpus"));
        let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(&serde_json::to_vec(requests).unwrap()).unwrap();
        let answers: Vec<Value> = serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
        let answer = |answer: Value| match answer["error"].as_str() {
            Some(error) => Err(error.to_owned()),
            None => Ok(answer["written"].clone()),
        };
        answers.into_iter().map(answer).collect()
    }
}

/// Removes the files below a folder that are not in `belong`.
fn remove_others(folder: &Path, belong: &BTreeSet<PathBuf>) {
    for path in fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            remove_others(&path, belong);
        } else if !belong.contains(&path) {
            fs::remove_file(path).unwrap();
        }
    }
}

/// Returns the findings in the output `said` of `opctl manifests`, by the name of the case. In each finding, `types.rs`
/// replaces the path of the case.
fn findings(said: &str) -> BTreeMap<String, String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut inside = false;
    for line in said.lines() {
        let first = line.starts_with("error[OP") || line.starts_with("warning[OP");
        if first {
            blocks.push(String::new());
        }
        // An empty line ends a finding.
        inside = first || (inside && !line.is_empty());
        if inside {
            let _ = writeln!(blocks.last_mut().unwrap(), "{line}");
        }
    }
    let mut findings: BTreeMap<String, String> = BTreeMap::new();
    for block in blocks {
        let place = block.lines().find_map(|line| line.strip_prefix("  --> ")).unwrap_or_else(|| panic!("{block}"));
        let file = place.split(':').next().unwrap();
        let name = file.trim_start_matches("api/src/").trim_end_matches(".rs").replace('_', "-");
        findings.entry(name).or_default().push_str(&block.replace(file, "types.rs"));
    }
    findings
}
