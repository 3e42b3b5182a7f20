//! Names that generated code cannot use. Each list is one string of words, to take as few lines as possible.

/// Names that a generated type for a kind must not have: names that are in scope in every Rust module
/// (<https://doc.rust-lang.org/std/prelude/>), and names that the generated types file imports. Code from derive macros
/// uses these names unqualified, and readers would not expect such a name to refer to a kind.
const TYPE_NAMES: &str = "AsMut AsRef AsyncFn AsyncFnMut AsyncFnOnce Box Clone Copy CustomResource Debug Default \
    Deserialize DoubleEndedIterator Drop Eq Err ExactSizeIterator Extend Fn FnMut FnOnce From FromIterator Into \
    IntoFuture IntoIterator Iterator JsonSchema KubeSchema ListMerge None Ok Option Ord PartialEq PartialOrd Result \
    Self Send Serialize Sized Some String Sync ToOwned ToString TryFrom TryInto Unpin Vec";

/// The keywords and reserved words of all Rust editions (<https://doc.rust-lang.org/reference/keywords.html>).
const KEYWORDS: &str = "abstract as async await become box break const continue crate do dyn else enum extern false \
    final fn for gen if impl in let loop macro macro_rules match mod move mut override priv pub ref return self static \
    struct super trait true try type typeof union unsafe unsized use virtual where while yield";

/// Module names that generated code cannot use: crate names in generated paths, which would become ambiguous; names for
/// which clippy warns because the parent module has the same name (`controller`); and names that mean a file or folder
/// to cargo (`src/bin/`, `src/lib.rs` and `src/main.rs`).
const CRATES: &str = "alloc anyhow api axum bin clap controller core futures jiff k8s_openapi kube lib main \
    proc_macro prometheus_client runtime rustls schemars serde serde_json serde_yaml std test thiserror tokio \
    tokio_util tracing tracing_subscriber webhook";

/// Package names that cargo refuses, or that cargo uses for folders in its target folder.
const CARGO: &str = "alloc build core deps examples incremental proc-macro std test";

/// Words that kubectl reads as a boolean or as null (go.yaml.in/yaml/v2 `resolve.go`).
const YAML: &str = "false n no null off on true y yes";

fn lists(words: &str, name: &str) -> bool {
    words.split_whitespace().any(|word| word == name)
}

/// Returns true if a Rust type of this name would shadow a name that every file uses.
pub fn is_taken_type(name: &str) -> bool {
    lists(TYPE_NAMES, name)
}

/// Returns the rule that the kind's name breaks, if any.
pub(super) fn kind_rule(kind: &str) -> Option<String> {
    is_taken_type(kind).then(|| "a Rust type of this name would shadow one that every Rust file uses".to_owned())
}

/// Returns true if a name is a Rust keyword.
pub(super) fn is_keyword(name: &str) -> bool {
    lists(KEYWORDS, name)
}

/// Returns true if a module of this name would collide with a crate or a file that has a meaning for cargo.
pub(super) fn is_crate(module: &str) -> bool {
    lists(CRATES, module)
}

/// Returns true if cargo reserves the package's name.
pub(super) fn is_cargos(package: &str) -> bool {
    lists(CARGO, package)
}

/// Returns true if a YAML file would have to quote the name.
pub(super) fn is_yaml_word(name: &str) -> bool {
    lists(YAML, name)
}
