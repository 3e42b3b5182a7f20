//! Looks for journal lists in `.opctl/journal` that make the reader of these lists panic.
#![no_main]

#[path = "../readers.rs"]
mod readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| readers::check("journal", bytes));
