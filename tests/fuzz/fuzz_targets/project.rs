//! Looks for contents of `PROJECT` that make the reader of this file panic.
#![no_main]

#[path = "../readers.rs"]
mod readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| readers::check("project", bytes));
