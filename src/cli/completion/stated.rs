//! The command line that is being completed.

use std::ffi::OsString;

/// Returns the value of a flag on the command line that is being completed. bash passes `=` as a separate word.
pub(super) fn stated(flag: &str) -> Option<OsString> {
    let mut words = std::env::args_os().skip_while(|word| word != "--").skip(1);
    while let Some(word) = words.next() {
        if word == flag {
            return words.find(|word| word != "=");
        }
        if let Some(value) = word.to_str().and_then(|word| word.strip_prefix(flag)?.strip_prefix('=')) {
            return Some(value.into());
        }
    }
    None
}
