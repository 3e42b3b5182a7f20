//! Programs in Go that check what opctl writes.

use super::{must, target_folder, tool, with_network};
use std::path::{Path, PathBuf};

/// Builds the Go package `package` in the module at `testdata/<name>`, unless the program was built before. The
/// `go.mod` of the module pins the version of the package. Returns the path of the program.
pub(crate) fn go_program(name: &str, package: &str) -> PathBuf {
    let path = target_folder().with_file_name(name);
    if !path.is_file() {
        let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(name);
        let mut go = tool("go");
        // Optimised, and with C, it would take half as long again.
        go.args(["build", "-gcflags", "all=-N -l", "-trimpath", "-ldflags", "-s -w", "-o"]).env("CGO_ENABLED", "0");
        go.arg(&path).arg(package).current_dir(module);
        must(with_network(&mut go));
    }
    path
}
