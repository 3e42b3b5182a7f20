//! Commands of programs: where they print, and how long they live.

/// Lets a program print to stderr instead of stdout, which is for reports.
pub fn print_to_stderr(command: &mut std::process::Command) {
    command.stdout(std::io::stderr());
}

/// Returns a command of kubectl that needs no kubeconfig. Its cache in the user's home folder stays the user's if opctl runs by sudo.
pub fn kubectl() -> std::process::Command {
    let mut command = std::process::Command::new("kubectl");
    crate::system::run_as_served_user(&mut command, &[]);
    command
}

/// Returns a command that runs `program`, and on Linux ends with this process.
pub fn command_for_this_process(program: impl AsRef<std::ffi::OsStr>) -> std::io::Result<std::process::Command> {
    crate::system::bound_to_this_process(program)
}
