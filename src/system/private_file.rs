//! Files that only this user can read.

use super::create_private_file;
use std::io::Write;
use std::path::Path;

/// Writes a file that only this user can read.
pub fn write_private_file(path: &Path, text: &str) -> std::io::Result<()> {
    create_private_file(path)?.write_all(text.as_bytes())
}
