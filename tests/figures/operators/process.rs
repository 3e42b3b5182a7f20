//! An operator as a process on this machine.

use super::plane::Plane;
use crate::cost::processor;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The program of an operator, and the kind that it manages.
pub(super) struct Operator {
    pub(super) name: &'static str,
    pub(super) program: PathBuf,
    pub(super) crd: PathBuf,
    /// The flags that make the operator reconcile every object again and again.
    pub(super) resync: &'static [&'static str],
}

/// A running operator, which is killed when this value is dropped.
pub(super) struct Running {
    child: Child,
    port: u16,
    since: Instant,
}

impl Operator {
    pub(super) fn start(&self, plane: &Plane, flags: &[&str]) -> Running {
        self.start_with(plane.kubeconfig(), flags)
    }

    pub(super) fn start_with(&self, kubeconfig: &Path, flags: &[&str]) -> Running {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new(&self.program);
        command.arg(format!("--health-probe-bind-address=127.0.0.1:{port}")).args(flags);
        command.env("KUBECONFIG", kubeconfig).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let since = Instant::now();
        Running { child: command.spawn().unwrap(), port, since }
    }
}

impl Running {
    /// Waits until /readyz answers with success, and returns how long that took since the start.
    pub(super) fn ready(&self) -> Duration {
        while !self.says_ready() {
            assert!(self.since.elapsed() < Duration::from_secs(30), "the operator does not become ready");
            std::thread::sleep(Duration::from_millis(5));
        }
        self.since.elapsed()
    }

    fn says_ready(&self) -> bool {
        let mut answer = String::new();
        TcpStream::connect(("127.0.0.1", self.port)).is_ok_and(|mut stream| {
            let asked = stream.write_all(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            asked.is_ok() && stream.read_to_string(&mut answer).is_ok() && answer.starts_with("HTTP/1.1 200")
        })
    }

    /// Waits until the operator has used less than a hundredth of a processor for ten seconds.
    pub(super) fn until_idle(&self) {
        const INTERVAL: Duration = Duration::from_secs(10);
        loop {
            let (before, _) = self.cost();
            std::thread::sleep(INTERVAL);
            if self.cost().0.saturating_sub(before) < INTERVAL / 100 {
                return;
            }
        }
    }

    /// Returns the operator's processor time so far, and its peak memory in MB.
    pub(super) fn cost(&self) -> (Duration, f64) {
        let folder = PathBuf::from(format!("/proc/{}", self.child.id()));
        let status = fs::read_to_string(folder.join("status")).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let kibibytes: u32 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        (processor(&folder), f64::from(kibibytes) * 1.024 / 1000.0)
    }

    pub(super) fn stop(mut self) {
        let pid = self.child.id().to_string();
        crate::run(Command::new("kill").arg(pid));
        assert!(self.child.wait().unwrap().success(), "the operator does not stop well");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
