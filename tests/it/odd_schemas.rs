//! Checks that the conversion to a structural schema never panics, for schemas that schemars can make and for unusual
//! schemas.

#[path = "../fuzz/grammar.rs"]
mod grammar;

use crate::support::{Random, asked};
use std::panic::catch_unwind;
use std::path::Path;

/// Converts the schema that the bytes describe. On a panic, fails with the bytes, so that they can be kept in the
/// corpus.
fn check(bytes: &[u8], name: &str) {
    if catch_unwind(|| grammar::check(bytes)).is_err() {
        let line = bytes.iter().fold(String::new(), |line, byte| line + &format!("{byte:02x}"));
        panic!("{name}: keep it with\necho {line} >> testdata/fuzz/schema.txt");
    }
}

#[test]
fn no_random_schema_makes_a_step_panic() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    // More rounds if the environment asks for them.
    let rounds = asked("OPCTL_FUZZ_ROUNDS").unwrap_or(5_000);
    for round in 0..rounds {
        let length = random.below(if round % 10 == 0 { 1_000 } else { 120 });
        let bytes: Vec<u8> = (0..length).map(|_| u8::try_from(random.below(256)).unwrap()).collect();
        check(&bytes, &format!("round {round}"));
    }
}

#[test]
fn the_corpus_of_the_fuzz_target_makes_no_step_panic() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/fuzz/schema.txt");
    let inputs = std::fs::read_to_string(corpus).unwrap();
    for line in inputs.lines() {
        let pairs = (0..line.len()).step_by(2).map(|at| u8::from_str_radix(&line[at..at + 2], 16).unwrap());
        let bytes: Vec<u8> = pairs.collect();
        check(&bytes, line);
    }
    let count = inputs.lines().count();
    assert!(count > 20, "only {count} in the corpus");
}
