//! Random fields of a spec: lists, maps and objects that are nested in each other, with fields of every type.

use super::Random;
use crate::support::{Place, tool};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use syn::Item;

const TYPES: [&str; 12] = [
    "string",
    "string(1..=20)?",
    "integer(2..)",
    "int64=5000000000",
    "number(..=0.5)?",
    "boolean=true",
    "quantity=1Gi",
    "duration=90s",
    "enum(small|very-large)",
    "enum(small|very-large)=small",
    "[integer(1..=9)](2..)",
    "map?",
];

/// Adds random fields of an object to `made`: for each field, the value of a `--field` flag (its path and its type),
/// and the keys that lead to the field in a sample.
fn fields(random: &mut Random, path: &str, steps: &[String], depth: usize, made: &mut Vec<(String, Vec<String>)>) {
    let words = ["type", "clusterIP", "size", "read_only", "env", "a", "on", "crate", "name"];
    let first = random.below(words.len());
    for number in 0..=random.below(3) {
        let word = words[(first + number) % words.len()];
        let name = match word {
            "read_only" => "readOnly",
            word => word,
        };
        let step = |more: &[&str]| {
            [steps, &[name.to_owned()], &more.iter().map(|&step| step.to_owned()).collect::<Vec<_>>()].concat()
        };
        if depth > 3 || random.below(3) > 0 {
            made.push((format!("{path}{word}:{}", random.pick(&TYPES)), step(&[])));
            continue;
        }
        let optional = random.pick(&["", "?"]);
        let (holds, inner) = match random.below(4) {
            0 => ("[]", step(&["0"])),
            1 => ("[](2..=3)", step(&["1"])),
            2 => ("{}", step(&["key"])),
            _ => ("", step(&[])),
        };
        fields(random, &format!("{path}{word}{holds}{optional}."), &inner, depth + 1, made);
    }
}

fn names(items: &[Item]) -> Vec<String> {
    let name = |item: &Item| match item {
        Item::Struct(item) => Some(item.ident.to_string()),
        Item::Enum(item) => Some(item.ident.to_string()),
        Item::Fn(item) => Some(item.sig.ident.to_string()),
        _ => None,
    };
    items.iter().filter_map(name).collect()
}

#[test]
fn any_path_makes_types_that_are_rust_and_is_in_the_sample_unless_it_is_optional() {
    let place = Place::with_project();
    let (mut random, mut types, mut deepest) = (Random(0x9e37_79b9), Vec::new(), 0);
    for round in 0..40 {
        let (kind, mut made) = (format!("Kind{round}"), Vec::new());
        fields(&mut random, "", &[], 0, &mut made);
        let mut command = vec!["create", "api", "--controller=false", "--kind", &kind];
        command.extend(made.iter().flat_map(|(field, _)| ["--field", field]));
        place.ok(&command);
        assert_eq!(place.json(&command)["outcome"], "unchanged", "{command:?}");

        let file = place.root().join(format!("api/src/v1alpha1/kind{round}.rs"));
        let parsed = syn::parse_file(&fs::read_to_string(&file).unwrap()).unwrap();
        let names = names(&parsed.items);
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{command:?}: {names:?}");
        types.push(file);

        let sample = place.root().join(format!("config/samples/v1alpha1_kind{round}.yaml"));
        let text = fs::read_to_string(sample).unwrap();
        let sample: Value = serde_yaml::from_str(&text).unwrap();
        assert!(sample["spec"].is_object(), "{text}");
        let uncommented = text.replace("spec: {}", "spec:").replace("# Any of these, in the place of `{}`:", "");
        let parsed: Result<Value, _> = serde_yaml::from_str(&uncommented.replace("# ", ""));
        assert!(parsed.is_ok() || text.contains("- {}"), "{text}");
        for (field, steps) in &made {
            let found = sample.pointer(&format!("/spec/{}", steps.join("/")));
            assert_eq!(found.is_some_and(|value| !value.is_null()), !field.contains('?'), "{field}: {text}");
            deepest = deepest.max(steps.len());
        }
    }
    assert!(deepest > 6, "only {deepest} steps");
    let mut rustfmt = tool("rustfmt");
    let output =
        rustfmt.args(["--check", "--edition", "2024"]).args(&types).current_dir(place.root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
