//! Takes images out of the stores of container tools.

use super::ContainerTool;
use super::answer::why;
use crate::error::hint;
use crate::{Error, Result};
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes the image to `archive`, which must not exist, as `docker save` writes it: from `tool`, or else from the first
/// tool that has the image.
///
/// # Errors
/// No tool is installed, or none has the image.
pub fn save_image(image: &str, archive: &Path, tool: Option<ContainerTool>) -> Result<()> {
    let tools = tool.map_or_else(|| ContainerTool::ALL.to_vec(), |tool| vec![tool]);
    let mut reasons = Vec::new();
    for tool in tools {
        match run(&tool.save_line(image, &archive.to_string_lossy())) {
            Ok(()) => return Ok(()),
            Err(None) => {}
            Err(Some(reason)) => reasons.push((tool, reason)),
        }
        // A tool that fails may leave a part of the archive, which others do not overwrite.
        if std::fs::remove_file(archive).is_err_and(|error| error.kind() != ErrorKind::NotFound) {
            break;
        }
    }
    let Some((first, _)) = reasons.first() else {
        return Err(tool
            .map_or_else(
                || Error::environment("no container tool is installed"),
                |tool| Error::environment(format!("`{}` is not installed, or not on PATH", tool.program())),
            )
            .caused_by(format!("the image `{image}` is in the store of one"))
            .hint("name an archive of the image, as `docker save` writes it"));
    };
    let pull = hint!("{} pull {image}    # or build it: opctl build --image {image}", first.program(), image);
    let error = Error::user(format!("no container tool has the image `{image}`"));
    let error =
        reasons.iter().fold(error, |error, (tool, reason)| error.caused_by(format!("`{}`: {reason}", tool.program())));
    Err(error.hint(pull))
}

/// Pulls the image from its registry by the first tool that works. Returns false if none works.
///
/// # Errors
/// The tool cannot fetch the image.
pub fn pull_image(image: &str, say: &dyn Fn(&str)) -> Result<bool> {
    let works = |tool: &ContainerTool| run(&[tool.program().to_owned(), "info".to_owned()]).is_ok();
    let Some(tool) = ContainerTool::ALL.into_iter().find(works) else { return Ok(false) };
    let line = [tool.program(), "pull", image].map(str::to_owned);
    say(&line.join(" "));
    run(&line).map(|()| true).map_err(|reason| {
        Error::environment(format!("`{}` cannot pull `{image}`", tool.program()))
            .caused_by(reason.unwrap_or_default())
            .hint(hint!("{} pull {image}", tool.program(), image))
    })
}

/// Runs a command line. The error is the reason that the program gives, or `None` if it is not installed.
fn run(line: &[String]) -> std::result::Result<(), Option<String>> {
    let mut command = Command::new(&line[0]);
    command.args(&line[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let output = super::spawn(&mut command).and_then(super::Guarded::output).map_err(|error| match error.kind() {
        ErrorKind::NotFound => None,
        _ => Some(error.to_string()),
    })?;
    if output.status.success() {
        return Ok(());
    }
    Err(Some(why(&output)))
}
