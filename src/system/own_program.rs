//! The program of this process.

use std::path::PathBuf;

/// Returns the program of this process, for starting it again. On Linux it is also found after an update of opctl has
/// replaced its file, so that a long run, such as that of `opctl mcp`, goes on with the version that began it.
pub fn own_program() -> std::io::Result<PathBuf> {
    let path = std::env::current_exe()?;
    // Of a file that was replaced, the path ends in ` (deleted)`: proc_pid_exe(5). The link still leads to the program.
    Ok(if cfg!(target_os = "linux") && !path.exists() { PathBuf::from("/proc/self/exe") } else { path })
}
