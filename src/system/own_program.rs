//! The path of the program that this process runs.

use std::path::PathBuf;

/// Returns the path of this process's program, for starting it again. On Linux, the path works even after an update has
/// replaced the file of opctl, so that a long run, such as `opctl mcp`, continues with the version that was started.
pub fn own_program() -> std::io::Result<PathBuf> {
    let path = std::env::current_exe()?;
    // Of a file that was replaced, the path ends in ` (deleted)`: proc_pid_exe(5). The link still leads to the program.
    Ok(if cfg!(target_os = "linux") && !path.exists() { PathBuf::from("/proc/self/exe") } else { path })
}
