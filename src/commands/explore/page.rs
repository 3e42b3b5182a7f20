//! Writes the HTML page of `opctl explore --html`.

use crate::Result;
use crate::commands::context::Context;
use crate::commands::output_file::OutputFile;
use crate::explore::{Summary, page};

/// Writes the HTML page about the exploration to the file that `--html` names.
pub(super) fn write_page(file: &OutputFile, summary: &Summary, context: &Context) -> Result<()> {
    let folder = std::path::absolute(&context.directory).unwrap_or_else(|_| context.directory.clone());
    let operator = folder.file_name().unwrap_or_default().to_string_lossy();
    file.write(page(summary, &operator).as_bytes())?;
    context.console.status("Wrote", file.path().display());
    Ok(())
}
