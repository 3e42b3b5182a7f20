//! Ends opctl with an error when a thread panics.

use crate::Error;
use crate::commands::context::tell;
use crate::exec::end_process;
use crate::report::Console;

/// Prints an error. If `lines` is true, prints the error as a JSON document on one line, like the other output of the
/// command.
pub(super) fn print_error(command: &str, error: &Error, console: &Console, lines: bool) {
    if lines {
        tell(command, error, console);
    } else {
        console.error(command, error);
    }
}

/// Installs a panic hook, so that a panic in any thread ends opctl with an error, and ends the programs that opctl
/// started. Destructors cannot end these programs: the release build aborts instead of unwinding, which makes it
/// smaller.
pub(super) fn end_on_panic(command: &'static str, console: Console, lines: bool) {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        print(panic);
        let defect = Error::bug("opctl has a defect: it stopped unexpectedly").hint(
            "report the defect, with the lines above and the command that you ran; the next opctl command completes \
             or undoes unfinished changes",
        );
        print_error(command, &defect, &console, lines);
        end_process(defect.category().exit_code().into());
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::spawn;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    /// The environment variable that contains the path of a file. The test process starts a child process, and writes
    /// the child's process id to this file, so that the test can check that the child ends.
    const CHILD: &str = "OPCTL_TEST_CHILD";

    #[test]
    #[ignore = "the process that the next test starts"]
    fn panics_with_a_child() {
        end_on_panic("list", Console::silent(), false);
        let child = spawn(Command::new("sleep").arg("600").stdout(Stdio::null())).unwrap();
        std::fs::write(std::env::var(CHILD).unwrap(), child.id().to_string()).unwrap();
        std::thread::spawn(|| panic!("on purpose")).join().unwrap();
    }

    #[test]
    fn a_panic_ends_opctl_and_its_children_with_an_error() {
        let own = format!("{}::panics_with_a_child", module_path!().split_once("::").unwrap().1);
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut test = Command::new(std::env::current_exe().unwrap());
        test.args(["--exact", &own, "--ignored", "--nocapture"]).env(CHILD, file.path());
        let ended = test.output().unwrap();
        let error = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(70), "{error}");
        assert!(error.contains("on purpose") && error.contains("opctl has a defect"), "{error}");
        let child = std::fs::read_to_string(file.path()).unwrap();
        let begun = Instant::now();
        // A killed child is a zombie until its new parent has waited for it.
        let is_running = || {
            let status = std::fs::read_to_string(format!("/proc/{child}/status")).unwrap_or_default();
            status.contains("State:") && !status.contains("State:\tZ")
        };
        while cfg!(target_os = "linux") && is_running() {
            assert!(begun.elapsed() < Duration::from_secs(5), "{child} goes on");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
