//! The cases of testdata/corpus.

use opctl::test_api::source::discover::{ApiType, Features, types};
use std::fs;
use std::path::{Path, PathBuf};

/// One case: a folder of testdata/corpus.
#[derive(Clone)]
pub(crate) struct Case {
    /// The name in the form `<area>/<case>`.
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    pub(crate) types: String,
}

/// Returns the folder of all cases and of the project in which they are compiled.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/corpus")
}

/// Returns all cases, sorted by name.
pub(crate) fn cases() -> Vec<Case> {
    let folders = |folder: &Path| {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.is_dir()).collect::<Vec<_>>()
    };
    let areas = folders(&folder()).into_iter().filter(|area| !area.ends_with("project"));
    let mut cases: Vec<Case> = areas.flat_map(|area| folders(&area)).map(Case::read).collect();
    cases.sort_by(|one, other| one.name.cmp(&other.name));
    cases
}

impl Case {
    fn read(folder: PathBuf) -> Self {
        let name = folder.strip_prefix(self::folder()).unwrap().to_str().unwrap().to_owned();
        let types =
            fs::read_to_string(folder.join("types.rs")).unwrap_or_else(|error| panic!("{name}/types.rs: {error}"));
        Case { name, folder, types }
    }

    /// Returns the rule that the first line of the case's `types.rs` states.
    pub(crate) fn rule(&self) -> &str {
        let rule = self.types.lines().next().and_then(|line| line.strip_prefix("//! Rule: "));
        rule.unwrap_or_else(|| panic!("{}/types.rs does not begin with `//! Rule: `", self.name))
    }

    /// Returns true if opctl must make a CRD from the types of the case.
    pub(crate) fn accepted(&self) -> bool {
        self.folder.join("resource.yaml").exists()
    }

    /// Returns the module names for `<area>` and `<case>` in the case's name.
    pub(crate) fn modules(&self) -> (String, String) {
        let (area, case) = self.name.split_once('/').unwrap();
        (area.replace('-', "_"), case.replace('-', "_"))
    }

    /// Returns the custom resources of the case. The path of each type is relative to the root of the api crate, and
    /// begins with the modules of the case's area and name.
    pub(crate) fn api_types(&self) -> Vec<ApiType> {
        let source = self.types.clone();
        let found = types(Path::new("types.rs"), &|_| Ok(Some(source.clone())), &Features::default());
        let (mut found, _) = found.unwrap();
        let (area, case) = self.modules();
        for api_type in &mut found {
            api_type.path = format!("{area}::{case}::{}", api_type.path);
        }
        found
    }

    /// Returns the text of a file of the case, or an empty text if there is none.
    pub(crate) fn text(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file)).unwrap_or_default()
    }

    /// Returns the documents of a YAML file of the case, without empty documents.
    pub(crate) fn documents(&self, file: &str) -> Vec<serde_json::Value> {
        let text = format!("\n{}", self.text(file)).replace("[VERSION]", env!("CARGO_PKG_VERSION"));
        let documents = text.split("\n---\n").filter(|document| !document.trim().is_empty());
        let parse =
            |document| serde_yaml::from_str(document).unwrap_or_else(|error| panic!("{}/{file}: {error}", self.name));
        documents.map(parse).collect()
    }

    /// Compares a file of the case with `made`. Returns the difference, or `None` if they are equal. If snapshots are
    /// overwritten, writes `made` into the file and returns `None`.
    pub(crate) fn compare(&self, file: &str, made: &str) -> Option<String> {
        let expected = self.text(file);
        if expected == made {
            return None;
        }
        if crate::support::records() {
            let path = self.folder.join(file);
            if made.is_empty() { fs::remove_file(path) } else { fs::write(path, made) }.unwrap();
            return None;
        }
        let diff = similar::TextDiff::from_lines(expected.as_str(), made).unified_diff().context_radius(3).to_string();
        Some(format!("{}/{file}; SNAPSHOTS=overwrite accepts it\n{diff}", self.name))
    }
}
