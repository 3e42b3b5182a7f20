//! Generates an api crate as large as those made from the CRDs of several well-known projects: the types are nested and
//! documented, as kopium writes them, and some kinds have two versions. Each run generates the same crate.

use crate::cost::{Cost, cost};
use crate::{opctl, row, text};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The number of kinds. [`OF_TWO_VERSIONS`] of them have a second version.
const KINDS: usize = 47;
const OF_TWO_VERSIONS: usize = 6;
/// The number of lines in one version of a kind. All versions together have 70,000 lines.
const LINES: usize = 1225;

/// Words that fields and types are named after.
const NAMES: [&str; 32] = [
    "affinity",
    "backend",
    "certificate",
    "container",
    "endpoint",
    "exporter",
    "fallback",
    "filter",
    "gateway",
    "health",
    "ingress",
    "issuer",
    "listener",
    "match",
    "metric",
    "network",
    "policy",
    "probe",
    "quota",
    "receiver",
    "resolver",
    "retry",
    "route",
    "rule",
    "scrape",
    "secret",
    "selector",
    "storage",
    "strategy",
    "target",
    "template",
    "volume",
];
const QUALIFIERS: [&str; 16] = [
    "allowed",
    "basic",
    "common",
    "default",
    "external",
    "global",
    "initial",
    "local",
    "maximum",
    "minimum",
    "node",
    "pod",
    "preferred",
    "remote",
    "required",
    "shared",
];

/// A random number generator (xorshift64) that only this file uses, so that changes elsewhere do not change the
/// figures.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    format!("{}{rest}", first.to_uppercase())
}

/// One version of a kind.
struct Kind {
    name: String,
    random: Random,
    text: String,
    types: usize,
}

impl Kind {
    fn lines(&self) -> usize {
        self.text.lines().count()
    }

    /// Adds a struct with random fields, and before it the types of its fields. Returns the name of the struct.
    fn object(&mut self, name: &str, depth: usize, limit: usize) -> String {
        self.types += 1;
        let name = format!("{name}{}", self.types);
        let mut fields = String::new();
        for number in 0..4 + self.random.below(6) {
            let (qualifier, noun) = (self.random.one(&QUALIFIERS), self.random.one(&NAMES));
            let (field, wire) =
                (format!("{qualifier}_{noun}{number}"), format!("{qualifier}{}{number}", capital(noun)));
            let rust = self.rust_type(&format!("{}{}", self.name, capital(noun)), depth, limit);
            let _ = writeln!(
                fields,
                "    /// The {qualifier} {noun} of the object, as it is observed by the controller once it has been\n    /// admitted. More info: https://example.com/docs/reference/{wire}"
            );
            if self.random.below(4) > 0 {
                let _ = writeln!(
                    fields,
                    "    #[serde(default, skip_serializing_if = \"Option::is_none\", rename = \"{wire}\")]\n    pub {field}: Option<{rust}>,"
                );
            } else {
                let _ = writeln!(fields, "    #[serde(rename = \"{wire}\")]\n    pub {field}: {rust},");
            }
        }
        let _ = writeln!(
            self.text,
            "\n/// {name} is a part of the specification of a {}.\n#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, JsonSchema)]\npub struct {name} {{\n{fields}}}",
            self.name
        );
        name
    }

    fn rust_type(&mut self, name: &str, depth: usize, limit: usize) -> String {
        if depth > 0 && self.lines() < limit {
            match self.random.below(10) {
                0..=1 => return self.object(name, depth - 1, limit),
                2 => return format!("Vec<{}>", self.object(name, depth - 1, limit)),
                3 => return format!("BTreeMap<String, {}>", self.object(name, depth - 1, limit)),
                4 => return self.words(name),
                _ => {}
            }
        }
        let plain = [
            "String",
            "String",
            "String",
            "bool",
            "i32",
            "i64",
            "IntOrString",
            "Vec<String>",
            "BTreeMap<String, String>",
        ];
        self.random.one(&plain).to_owned()
    }

    fn words(&mut self, name: &str) -> String {
        self.types += 1;
        let name = format!("{name}Mode{}", self.types);
        let _ = writeln!(
            self.text,
            "\n/// {name} is one of some words.\n#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, JsonSchema)]\npub enum {name} {{"
        );
        for variant in ["Always", "IfNotPresent", "Never", "Unknown"] {
            let _ = writeln!(self.text, "    {variant},");
        }
        self.text.push_str("}\n");
        name
    }
}

const HEAD: &str = "\
//! The kind KIND, generated from its CRD.
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
";

const ROOT: &str = "
/// The specification of a KIND.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq, JsonSchema)]
#[kube(group = \"example.com\", version = \"VERSION\", kind = \"KIND\", plural = \"PLURAL\")]
#[kube(namespaced, status = \"KINDStatus\", derive = \"PartialEq\", storage = STORED)]
pub struct KINDSpec {
FIELDS}

/// The observed state of a KIND.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, JsonSchema)]
pub struct KINDStatus {
    /// The conditions of the object.
    #[serde(default, skip_serializing_if = \"Option::is_none\")]
    pub conditions: Option<Vec<Condition>>,
    #[serde(default, skip_serializing_if = \"Option::is_none\", rename = \"observedGeneration\")]
    pub observed_generation: Option<i64>,
}
";

/// Returns the source file of one version of a kind.
fn kind(number: usize, version: &str, stored: bool) -> String {
    let name = format!("{}{}{number}", capital(QUALIFIERS[number % 16]), capital(NAMES[number * 7 % 32]));
    // The seed depends on the kind alone, so both versions of a kind are alike.
    let random = Random(0x9E37_79B9_7F4A_7C15 ^ (number as u64 + 1));
    let mut kind = Kind { name, random, text: HEAD.to_owned(), types: 0 };
    let mut fields = String::new();
    let mut part = 0;
    while kind.lines() < LINES - 60 {
        part += 1;
        let limit = LINES - 80;
        let rust = kind.object(&format!("{}Part", kind.name), 5, limit);
        let _ = writeln!(
            fields,
            "    /// A part of the specification.\n    #[serde(default, skip_serializing_if = \"Option::is_none\")]\n    pub part{part}: Option<{rust}>,"
        );
    }
    let plural = format!("{}s", kind.name.to_lowercase());
    let root = ROOT.replace("FIELDS", &fields).replace("VERSION", version).replace("PLURAL", &plural);
    format!("{}{}", kind.text, root.replace("STORED", &stored.to_string())).replace("KIND", &kind.name)
}

/// Writes the generated types into the project at `root`, which has no types. Returns the number of their lines.
fn write(root: &Path) -> usize {
    let mut lines = 0;
    let mut library = String::from("//! The custom resources.\n");
    for (version, kinds) in [("v1", KINDS), ("v1beta1", OF_TWO_VERSIONS)] {
        let folder = root.join("api/src").join(version);
        fs::create_dir_all(&folder).unwrap();
        let (mut modules, mut uses) = (String::new(), String::new());
        for number in 0..kinds {
            let text = kind(number, version, version == "v1");
            lines += text.lines().count();
            fs::write(folder.join(format!("kind{number}.rs")), text).unwrap();
            let _ = writeln!(modules, "mod kind{number};");
            let _ = writeln!(uses, "pub use kind{number}::*;");
        }
        fs::write(folder.join("mod.rs"), format!("//! Version `{version}`.\n{modules}\n{uses}")).unwrap();
        let _ = writeln!(library, "pub mod {version};");
    }
    fs::write(root.join("api/src/lib.rs"), library).unwrap();
    lines
}

/// Writes one small type into the project, so that a build compiles the dependencies.
fn small(root: &Path) {
    let text = format!("{HEAD}{}", ROOT.replace("FIELDS", "").replace("VERSION", "v1").replace("PLURAL", "small"));
    let text = text.replace("STORED", "true").replace("KIND", "Small");
    fs::write(root.join("api/src/small.rs"), text).unwrap();
    fs::write(root.join("api/src/lib.rs"), "//! Small.\npub mod small;\n").unwrap();
}

/// Measures `opctl manifests` against `cargo check` of the same types.
pub(crate) fn beside_cargo_check() {
    let temporary = tempfile::tempdir().unwrap();
    let root = &temporary.path().join("big-operator");
    fs::create_dir(root).unwrap();
    crate::run(&mut opctl(root, &["init", "--domain", "example.com"]));
    let check = || {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["check", "--locked", "--package", "big-operator-api"]).current_dir(root);
        cargo.env_remove("CARGO_TARGET_DIR");
        cost(&mut cargo)
    };
    let manifests = || cost(&mut opctl(root, &["manifests"]));
    // Compile the dependencies, which all later runs share.
    small(root);
    check();
    manifests();
    let lines = write(root);
    println!("{lines} lines of types, {KINDS} kinds");
    let (whole, first) = (check(), manifests());
    beside("manifests, first time, beside cargo check", &first, &whole, Some(1.3));
    row("  memory of the largest process", &ratio(first.memory, whole.memory), "1.20");
    let file = root.join("api/src/v1/kind0.rs");
    let edited = fs::read_to_string(&file).unwrap().replacen("    /// A part of", "    /// Another part of", 1);
    fs::write(&file, edited).unwrap();
    let (whole, again) = (check(), manifests());
    beside("manifests, one type edited, beside cargo check", &again, &whole, Some(0.5));
}

/// Prints the ratios of `ours` to `theirs` in time and in processor time.
pub(crate) fn beside(figure: &str, ours: &Cost, theirs: &Cost, limit: Option<f64>) {
    let limit = limit.map_or_else(|| "-".to_owned(), |limit| format!("{limit:.2}"));
    row(figure, &ratio(ours.took.as_secs_f64(), theirs.took.as_secs_f64()), &limit);
    row("  processor time", &ratio(ours.processor.as_secs_f64(), theirs.processor.as_secs_f64()), &limit);
    println!("  {} and {:.0} MB, {} and {:.0} MB", text(ours.took), ours.memory, text(theirs.took), theirs.memory);
}

fn ratio(ours: f64, theirs: f64) -> String {
    format!("{:.2}", ours / theirs)
}
