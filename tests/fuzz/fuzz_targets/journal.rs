//! Looks for lists of `.opctl/journal` that make their reader panic.
#![no_main]

#[path = "../readers.rs"]
mod readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| readers::check("journal", bytes));
