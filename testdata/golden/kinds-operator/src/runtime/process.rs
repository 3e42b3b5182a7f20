//! What a process says about itself under the same names in every language. Linux only.
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use std::{fmt, fs};

const CLOCK_TICKS: f64 = 100.0;
const PAGE: f64 = 4096.0;

#[derive(Debug)]
pub struct Process;

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        if let Some(seconds) = stat(14).zip(stat(15)).map(|(user, system)| user + system) {
            let cpu = ConstCounter::new(seconds / CLOCK_TICKS);
            let (name, help) = ("process_cpu_seconds", "CPU time that was used");
            cpu.encode(encoder.encode_descriptor(name, help, None, cpu.metric_type())?)?;
        }
        let started = stat(22).zip(word("/proc/stat", "btime", 1));
        let files = fs::read_dir("/proc/self/fd")
            .ok()
            .map(|files| files.count() as f64);
        for (name, help, value) in [
            (
                "resident_memory_bytes",
                "Memory in use",
                stat(24).map(|pages| pages * PAGE),
            ),
            ("virtual_memory_bytes", "Memory that is mapped", stat(23)),
            (
                "start_time_seconds",
                "Start",
                started.map(|(ticks, boot)| boot + ticks / CLOCK_TICKS),
            ),
            ("open_fds", "Open files", files),
            (
                "max_fds",
                "Files that may be open",
                word("/proc/self/limits", "Max open files", 3),
            ),
        ] {
            let Some(gauge) = value.map(ConstGauge::new) else {
                continue;
            };
            let name = format!("process_{name}");
            gauge.encode(encoder.encode_descriptor(&name, help, None, gauge.metric_type())?)?;
        }
        Ok(())
    }
}

/// A field of proc_pid_stat(5), by its number there. Only the second can contain blanks.
fn stat(number: usize) -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    stat.rsplit_once(')')?
        .1
        .split_whitespace()
        .nth(number - 3)?
        .parse()
        .ok()
}

/// A word of the line that begins with `start`.
fn word(file: &str, start: &str, number: usize) -> Option<f64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(start))?;
    line.split_whitespace().nth(number)?.parse().ok()
}
