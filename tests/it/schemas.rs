//! No schema that schemars can make, and no odd one, makes the way to a structural schema panic.

#[path = "../fuzz/grammar.rs"]
mod grammar;

use crate::properties::Random;
use std::panic::catch_unwind;
use std::path::Path;

/// What the bytes do to the way from schema to YAML; the bytes are printed if it panics, to be kept in the corpus.
fn check(bytes: &[u8], name: &str) {
    if catch_unwind(|| grammar::check(bytes)).is_err() {
        let text = bytes.iter().fold(String::new(), |text, byte| text + &format!("\\x{byte:02x}"));
        panic!("{name}: keep it with\nprintf '{text}' > testdata/fuzz/schema/NAME");
    }
}

#[test]
fn no_random_schema_makes_a_step_panic() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    // Longer where someone asks for it.
    let rounds = std::env::var("OPCTL_FUZZ_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(5_000);
    for round in 0..rounds {
        let length = random.below(if round % 10 == 0 { 1_000 } else { 120 });
        let bytes: Vec<u8> = (0..length).map(|_| u8::try_from(random.below(256)).unwrap()).collect();
        check(&bytes, &format!("round {round}"));
    }
}

#[test]
fn the_corpus_of_the_fuzz_target_makes_no_step_panic() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/fuzz/schema");
    let mut count = 0;
    for entry in std::fs::read_dir(corpus).unwrap().flatten() {
        check(&std::fs::read(entry.path()).unwrap(), &entry.path().display().to_string());
        count += 1;
    }
    assert!(count > 20, "only {count} in the corpus");
}
