//! Reads the values of flags from the command line that is being completed.

use std::ffi::OsString;

/// Returns the value of `flag` on the command line that is being completed. Skips a word `=` after the flag, because
/// bash splits `--flag=value` into three words.
pub(super) fn stated_flag_value(flag: &str) -> Option<OsString> {
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
