use super::Places;
use crate::source::discover::{Features, types};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Checks the lines that `Places` returns for fields. `text` has files as `// file: path` sections;
/// `// at: KIND PATH` marks the line of a field.
fn check(text: &str, kind: &str, paths: &[&str]) {
    let mut files: BTreeMap<PathBuf, String> = BTreeMap::new();
    let mut current = PathBuf::new();
    for line in text.lines() {
        match line.trim().strip_prefix("// file: ") {
            Some(path) => current = PathBuf::from(path),
            None => {
                let file = files.entry(current.clone()).or_default();
                file.push_str(line);
                file.push('\n');
            }
        }
    }
    let sources: Vec<(PathBuf, String)> = files.clone().into_iter().collect();
    let source = |path: &Path| Ok(files.get(path).cloned());
    let (found, _) = types(Path::new("api/src/lib.rs"), &source, &Features::default()).expect("Rust");
    let places = Places::read(&sources);
    let api_type = found.iter().find(|found| found.path == kind).expect("the kind");
    for path in paths {
        let mark = format!("// at: {kind} {path}");
        let expected = sources.iter().find_map(|(file, text)| {
            Some((file.as_path(), text.lines().position(|line| line.trim_end().ends_with(&mark))? + 1))
        });
        assert!(expected.is_some(), "no line is marked `{mark}`");
        assert_eq!(places.field(api_type, path), expected, "{kind} {path}");
    }
}

const KUBE: &str = "#[derive(CustomResource)] #[kube(group = \"g.example\", kind = \"Foo\", ";

/// Types with the same name in two versions, in two groups, in one file, and in a shared module are distinguished.
#[test]
fn types_of_one_name_are_told_apart_by_their_modules() {
    let text = format!(
        "// file: api/src/lib.rs
pub mod a {{ pub mod v1; }}
pub mod b {{ pub mod v1; pub mod v2; }}
mod parts;
// file: api/src/a/v1.rs
use crate::parts::{{self, Part as Other}};
{KUBE}version = \"v1\")]
pub struct FooSpec {{
    own: Part,
    shared: Vec<Other>,
    by_path: parts::inner::Part,
}}
pub struct Part {{
    size: i32, // at: a::v1::Foo spec.own.size
}}
// file: api/src/b/v1.rs
use crate::parts::*;
{KUBE}version = \"v1\")]
pub struct FooSpec {{
    own: Option<Part>,
}}
// file: api/src/b/v2.rs
use super::v1::FooSpec as Older;
{KUBE}version = \"v2\", no_spec)]
pub struct Foo {{
    own: Box<Part>,
    older: Older,
}}
mod deep {{
    pub struct Part {{
        size: i64,
    }}
}}
use deep::Part as _;
pub struct Part {{
    size: String, // at: b::v2::Foo own.size
}}
// file: api/src/parts.rs
pub struct Part {{
    size: u8,
    // the line above
}}
pub mod inner {{
    pub struct Part {{
        size: u16, // at: a::v1::Foo spec.byPath.size
    }}
}}"
    );
    check(&text, "a::v1::Foo", &["spec.own.size", "spec.byPath.size"]);
    check(&text, "b::v2::Foo", &["own.size"]);
    for (kind, path) in
        [("a::v1::Foo", "spec.shared[].size"), ("b::v1::Foo", "spec.own.size"), ("b::v2::Foo", "older.own.size")]
    {
        check(&text.replace("size: u8,", &format!("size: u8, // at: {kind} {path}")), kind, &[path]);
    }
}

/// Returns a source whose fields lead to other types through aliases, parameters, flattened fields and enums.
fn source_with_indirect_fields() -> String {
    format!(
        "// file: api/src/lib.rs
#[path = \"elsewhere/types.rs\"]
pub mod v1;
pub use v1::parts::Limits;
// file: api/src/elsewhere/types.rs
pub mod parts;
type Many<T> = std::collections::BTreeMap<String, Vec<T>>;
{KUBE}version = \"v1\", status = \"parts::Status\")]
#[serde(rename_all = \"camelCase\")]
pub struct FooSpec {{
    pools: Many<Wrapper<Pool>>,
    #[serde(flatten)]
    limits: crate::Limits,
    mode: Mode,
    #[serde(rename = \"type\")] kind: Kind,
    #[schemars(with = \"Vec<Pool>\")] other: serde_json::Value,
}}
pub struct Wrapper<T> {{
    name: String,
    value: T,
}}
pub struct Pool {{
    max_size: i32, // at: v1::Foo spec.pools{{}}[].value.maxSize
}}
#[serde(tag = \"kind\")]
pub enum Mode {{
    One(One),
    Two {{
        weight: i32, // at: v1::Foo spec.mode.weight
    }},
}}
pub struct One {{
    share: i32, // at: v1::Foo spec.mode.share
}}
#[serde(tag = \"t\", content = \"c\")]
pub enum Kind {{
    A(parts::Status),
    B(parts::Deep),
}}
// file: api/src/elsewhere/parts.rs
pub struct Limits {{
    cpu: String, // at: v1::Foo spec.cpu
}}
pub struct Status {{
    phase: String, // at: v1::Foo status.phase
}}
pub struct Deep {{
    phase: Limited,
}}
pub struct Limited {{
    most: i32, // at: v1::Foo spec.type.c.phase.most
}}"
    )
}

#[test]
fn aliases_parameters_and_flattened_fields_are_followed() {
    let paths = [
        "spec.pools{}[].value.maxSize",
        "spec.mode.weight",
        "spec.mode.share",
        "spec.cpu",
        "status.phase",
        "spec.type.c.phase.most",
    ];
    check(&source_with_indirect_fields(), "v1::Foo", &paths);
}

/// For a field of a type that a macro generates, the line of the nearest parent field in the source is returned.
#[test]
fn fields_generated_by_macros_are_placed_at_the_nearest_parent_field() {
    let text = format!(
        "// file: api/src/lib.rs
{KUBE}version = \"v1\")]
pub struct FooSpec {{
    made: Made, // at: Foo spec.made.up
    parts: Vec<other::Part>,
}}
// file: src/other.rs
pub struct Part {{
    size: i32, // at: Foo spec.parts[].size
}}"
    );
    check(&text, "Foo", &["spec.made.up", "spec.parts[].size"]);
}
