//! The memory and the processor time of processes, as Linux writes them into /proc (proc(5)).

use std::time::Duration;

/// The number of ticks per second in `/proc/PID/stat`, which is the same on all architectures that Rust supports.
const TICKS_PER_SECOND: u32 = 100;

/// The names of programs that usually only start another program and wait for it, such as a shell. They are not counted
/// in the usage of an operator, because its container does not have them.
const STARTERS: [&str; 6] = ["bash", "busybox", "cargo", "dash", "go", "sh"];

/// The memory in bytes and the processor time of one or more processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The currently resident memory in bytes.
    pub resident: u64,
    /// The maximum resident memory since the start of the processes, in bytes.
    pub peak: u64,
    /// The processor time since the start of the processes, in user mode and in kernel mode.
    pub processor: Duration,
}

/// Returns true if the memory of other processes can be read on this system.
pub fn measures_processes() -> bool {
    cfg!(target_os = "linux")
}

/// A process with the values from `/proc/PID/stat`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Process {
    name: String,
    /// The id of the process group.
    pub(super) group: u32,
    processor: Duration,
}

impl Process {
    /// Parses `/proc/PID/stat`. Returns `None` if the process has ended.
    pub(super) fn parse(stat: &str) -> Option<Process> {
        // The name in parentheses may hold anything.
        let (name, rest) = stat.split_once('(')?.1.rsplit_once(')')?;
        let mut fields = rest.split_ascii_whitespace();
        if matches!(fields.next()?, "Z" | "X" | "x") {
            return None;
        }
        let group = fields.nth(1)?.parse().ok()?;
        let ticks = fields.nth(8)?.parse::<u32>().ok()?.saturating_add(fields.next()?.parse().ok()?);
        let processor = Duration::from_secs(1) * ticks / TICKS_PER_SECOND;
        Some(Process { name: name.to_owned(), group, processor })
    }

    /// Returns the usage of the process, with the memory sizes in `status`, the text of `/proc/PID/status`.
    pub(super) fn usage(&self, status: &str) -> Option<Usage> {
        let bytes = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key))?;
            let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
            Some(kibibytes * 1024)
        };
        Some(Usage { resident: bytes("VmRSS:")?, peak: bytes("VmHWM:")?, processor: self.processor })
    }
}

/// Returns the total usage of the processes; `None` if `processes` is empty. Omits the programs in [`STARTERS`], unless
/// all processes are such programs.
pub(super) fn total(processes: &[(Process, Usage)]) -> Option<Usage> {
    let works = |(process, _): &&(Process, Usage)| !STARTERS.contains(&process.name.as_str());
    let all = !processes.iter().any(|one| works(&one));
    let counted = processes.iter().filter(|one| all || works(one)).map(|(_, usage)| usage);
    counted.copied().reduce(|sum, one| Usage {
        resident: sum.resident + one.resident,
        peak: sum.peak + one.peak,
        processor: sum.processor + one.processor,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(name: &str, ticks: u32) -> Process {
        let stat = format!("7 ({name}) S 1 42 42 0 -1 4194560 900 0 0 0 {ticks} 5 0 0 20 0 9 0 1 2 3");
        Process::parse(&stat).unwrap()
    }

    #[test]
    fn times_and_the_group_are_found_behind_any_name() {
        let found = process("a) (b c", 120);
        assert_eq!((found.group, found.processor), (42, Duration::from_millis(1250)));
        assert_eq!(found.name, "a) (b c");
        assert_eq!(Process::parse("7 (a) Z 1 42 42 0 -1 0 0 0 0 0 1 5 0"), None);
        assert_eq!(Process::parse("7 (a) S 1"), None);
        assert_eq!(Process::parse("7 a"), None);
    }

    #[test]
    fn memory_is_in_kibibytes() {
        let status = "Name:\toperator\nVmPeak:\t  9000 kB\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\n";
        let usage = process("operator", 95).usage(status).unwrap();
        assert_eq!(usage, Usage { resident: 1 << 20, peak: 2 << 20, processor: Duration::from_secs(1) });
        assert_eq!(process("kthread", 0).usage("Name:\tkthread\n"), None, "a kernel thread has no memory");
    }

    #[test]
    fn a_shell_that_waits_is_not_counted() {
        let usage = |resident| Usage { resident, peak: 2 * resident, processor: Duration::from_secs(resident) };
        let (shell, operator, helper) =
            ((process("sh", 0), usage(1)), (process("operator", 0), usage(10)), (process("helper", 0), usage(100)));
        assert_eq!(total(&[shell.clone(), operator, helper]), Some(usage(110)));
        assert_eq!(total(&[shell]), Some(usage(1)), "the script is the operator");
        assert_eq!(total(&[]), None);
    }
}
