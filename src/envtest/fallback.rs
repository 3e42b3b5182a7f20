//! Decides if programs whose download failed may be built from source code instead. If the user has chosen a mirror,
//! folder or index for the downloads, opctl reports the failed download and builds nothing.

use super::failure::Failure;
use super::origin::Origin;
use super::{golang, module};
use crate::Result;
use crate::error::hint;
use crate::report::Console;

/// Decides, after the download has failed with `failure`, if the programs may be built from source instead. If so,
/// tells the user that opctl builds them. Fails if a build is not allowed or Go is not installed.
pub(super) fn instead(failure: Failure, origin: &Origin, console: &Console) -> Result<()> {
    let error = match failure {
        Failure::Refused(error) => return Err(error),
        Failure::Unreachable(error) => error,
    };
    if origin.is_chosen() {
        return Err(if error.hint_text().is_some() {
            error
        } else {
            error.hint("opctl help testing    # describes the files that opctl expects in a mirror or folder")
        });
    }
    let (major, minor) = module::pinned_go();
    match golang::version() {
        Some(_) => {
            console.note(format_args!(
                "{error}; building from source with Go instead, which takes some minutes the first time"
            ));
            Ok(())
        }
        None if error.hint_text().is_some() => Err(error),
        None => Err(error.caused_by("building from source instead needs Go, and `go` is not on the PATH").hint(hint!(
            "connect to the network, name a mirror with `--mirror URL`, or install Go {major}.{minor} or newer \
             (https://go.dev/doc/install), and run: opctl envtest setup",
            major,
            minor
        ))),
    }
}
