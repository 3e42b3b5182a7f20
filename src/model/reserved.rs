//! Names that generated code could not carry.

/// Names that every Rust module sees (<https://doc.rust-lang.org/std/prelude/>) and that derives write unqualified,
/// with what the generated types file imports.
const TYPE_NAMES: [&str; 27] = [
    "AsMut",
    "AsRef",
    "Box",
    "Clone",
    "Condition",
    "Copy",
    "CustomResource",
    "Debug",
    "Default",
    "Deserialize",
    "Drop",
    "Eq",
    "Err",
    "Iterator",
    "KubeSchema",
    "ListMerge",
    "None",
    "Ok",
    "Option",
    "PartialEq",
    "Result",
    "Rule",
    "Self",
    "Serialize",
    "Some",
    "String",
    "Vec",
];

/// The rest of the prelude: legal to shadow, yet no reader would guess it.
const SHADOWED: [&str; 20] = [
    "AsyncFn",
    "AsyncFnMut",
    "AsyncFnOnce",
    "DoubleEndedIterator",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Future",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "PartialOrd",
    "Send",
    "Sync",
    "ToOwned",
    "ToString",
];

const MORE_SHADOWED: [&str; 9] = ["Hash", "Ord", "Sized", "TryFrom", "TryInto", "Unpin", "JsonSchema", "List", "Value"];

/// Why a kind of this name is refused, if it is.
pub(super) fn kind_rule(kind: &str) -> Option<String> {
    if TYPE_NAMES.contains(&kind) || SHADOWED.contains(&kind) || MORE_SHADOWED.contains(&kind) {
        return Some("a Rust type of this name would shadow one that every Rust file uses".to_owned());
    }
    None
}

/// Keywords of every edition and reserved words (<https://doc.rust-lang.org/reference/keywords.html>).
pub(super) const KEYWORDS: [&str; 53] = [
    "abstract",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "struct",
    "super",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
    "union",
    "macro_rules",
];

/// Crates that generated code names in paths: a module of the same name beside such a path is ambiguous.
pub(super) const CRATES: [&str; 28] = [
    "alloc",
    "anyhow",
    "api",
    "axum",
    "clap",
    "core",
    "futures",
    "jiff",
    "k8s_openapi",
    "kube",
    // `lib/mod.rs` beside `lib.rs` is ambiguous, and rustc warns of a module `main`.
    "lib",
    "main",
    "prometheus_client",
    "proc_macro",
    "rustls",
    "schemars",
    "serde",
    "serde_json",
    "serde_yaml",
    "std",
    "test",
    "thiserror",
    "tokio",
    "tokio_util",
    "tracing",
    "tracing_subscriber",
    "controller",
    "runtime",
];

/// Package names that cargo refuses or that its target folder uses.
pub(super) const CARGO: [&str; 9] =
    ["alloc", "build", "core", "deps", "examples", "incremental", "proc-macro", "std", "test"];
