//! The time, processor time and memory that a command takes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The time that a command took, the processor time of all its processes, and the peak memory of its largest process,
/// in MB.
pub(crate) struct Cost {
    pub(crate) took: Duration,
    pub(crate) processor: Duration,
    pub(crate) memory: f64,
}

/// Runs a command that must succeed. Returns its cost.
pub(crate) fn cost(command: &mut Command) -> Cost {
    let (before, start) = (of_children(), Instant::now());
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let memory = peak(&mut child);
    assert!(child.wait().unwrap().success(), "{command:?}");
    Cost { took: start.elapsed(), processor: of_children().saturating_sub(before), memory }
}

/// Returns the processor time so far of a process, given its folder below /proc: the fields `utime` and `stime`.
pub(crate) fn processor(process: &Path) -> Duration {
    time(process, 11)
}

/// Returns the processor time of the children of this process that have ended: the fields `cutime` and `cstime`.
/// Returns zero on systems without /proc.
fn of_children() -> Duration {
    time(Path::new("/proc/self"), 13)
}

/// Returns the sum of two consecutive fields of `stat`, which are in hundredths of a second. `first` is the index
/// of the first of these fields, counted from the field after the process name.
fn time(process: &Path, first: usize) -> Duration {
    let stat = fs::read_to_string(process.join("stat")).unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap().split_whitespace();
    let ticks: u64 = fields.skip(first).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum();
    Duration::from_millis(ticks * 10)
}

/// Watches the child until it ends. Returns the peak memory of its largest process, in MB.
fn peak(child: &mut Child) -> f64 {
    let mut kibibytes = 0;
    while child.try_wait().unwrap().is_none() {
        kibibytes = kibibytes.max(largest(child.id()));
        std::thread::sleep(Duration::from_millis(20));
    }
    f64::from(kibibytes) * 1.024 / 1000.0
}

/// Returns the peak memory, in KiB, of the largest process among `process` and its descendants.
fn largest(process: u32) -> u32 {
    let ids = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let mut all = BTreeMap::new();
    for id in ids {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let field = |name: &str| -> Option<u32> {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse().ok()
        };
        if let (Some(parent), Some(peak)) = (field("PPid:"), field("VmHWM:")) {
            all.insert(id, (parent, peak));
        }
    }
    let is_below = |mut id: u32| {
        while id != process {
            match all.get(&id) {
                Some((parent, _)) => id = *parent,
                None => return false,
            }
        }
        true
    };
    all.iter().filter(|(id, _)| is_below(**id)).map(|(_, (_, peak))| *peak).max().unwrap_or_default()
}
