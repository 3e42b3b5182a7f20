//! Looks for a schema that makes `opctl manifests` panic.
#![no_main]

#[path = "../grammar.rs"]
mod grammar;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| grammar::check(bytes));
