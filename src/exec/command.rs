//! Prepares the commands that start programs: redirects their output, or lets them end together with this process.

/// Makes a program print to stderr instead of stdout, because opctl prints its reports to stdout.
pub fn print_to_stderr(command: &mut std::process::Command) {
    command.stdout(std::io::stderr());
}

/// Returns a kubectl command that needs no kubeconfig. If opctl runs by sudo, kubectl runs as the user who called sudo,
/// so that its cache in the home folder belongs to the user.
pub fn kubectl() -> std::process::Command {
    let mut command = std::process::Command::new("kubectl");
    crate::system::run_as_served_user(&mut command, &[]);
    command
}

/// Returns a command that runs `program`; on Linux, the program ends when this process ends.
pub fn command_for_this_process(program: impl AsRef<std::ffi::OsStr>) -> std::io::Result<std::process::Command> {
    crate::system::bound_to_this_process(program)
}
