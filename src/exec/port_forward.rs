//! Forwards a local port to a Service of a cluster.

use super::{Guarded, TemporaryFolder, command_for_this_process, interrupts, spawn};
use crate::{Error, Result};
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// The time within which kubectl must reach a pod.
const PATIENCE: Duration = Duration::from_secs(20);

/// A local port that kubectl forwards to a pod behind a Service, until this value is dropped.
#[derive(Debug)]
pub struct PortForward {
    /// The number of the local port.
    pub port: u16,
    _kubectl: Guarded,
    _cache: TemporaryFolder,
}

impl PortForward {
    /// Starts kubectl to forward a free port of this machine to `port` of the Service. `cluster` has the flags that
    /// choose the cluster.
    ///
    /// # Errors
    /// Fails if kubectl cannot be run or fails, or if the user interrupts.
    pub fn to_service(cluster: &[String], namespace: &str, service: &str, port: u16) -> Result<Self> {
        let failed = |reason: &str| {
            Error::cluster(format!("cannot reach the operator through the Service `{service}`")).caused_by(reason)
        };
        let interrupts = interrupts();
        let mut command = command_for_this_process("kubectl").map_err(|error| failed(&error.to_string()))?;
        // Else kubectl makes one in the home folder of the user, as root if opctl runs by sudo.
        let cache = TemporaryFolder::new("kubectl")?;
        command.arg("port-forward").arg("--cache-dir").arg(cache.path()).args(cluster);
        command.args(["--namespace", namespace, "--address", "127.0.0.1"]);
        command.arg(format!("service/{service}")).arg(format!(":{port}"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut kubectl = spawn(&mut command).map_err(|error| failed(&error.to_string()))?;
        let (sender, receiver) = channel();
        if let Some(stdout) = kubectl.child().stdout.take() {
            std::thread::spawn(move || {
                let mut lines = BufReader::new(stdout);
                let mut line = String::new();
                let read = lines.read_line(&mut line).unwrap_or_default();
                // The receiver is gone only after the time limit.
                let _ = sender.send((read > 0).then_some(line));
                // kubectl would end at a closed pipe.
                let _ = std::io::copy(&mut lines, &mut std::io::sink());
            });
        }
        let begun = Instant::now();
        let line = loop {
            if let Ok(line) = receiver.recv_timeout(Duration::from_millis(50)) {
                break line;
            }
            if interrupts.came_within(Duration::ZERO) {
                return Err(Error::interrupted("interrupted"));
            }
            if begun.elapsed() > PATIENCE {
                return Err(failed("kubectl does not answer"));
            }
        };
        match line.as_deref() {
            Some(line) => match local_port(line) {
                Some(port) => Ok(PortForward { port, _kubectl: kubectl, _cache: cache }),
                None => Err(failed(&format!("kubectl says `{}`", line.trim()))),
            },
            None => {
                let mut said = String::new();
                if let Some(mut stderr) = kubectl.child().stderr.take() {
                    // A line that cannot be read gives no reason for the failure.
                    let _ = stderr.read_to_string(&mut said);
                }
                Err(failed(said.trim()))
            }
        }
    }
}

/// Returns the local port in a line of kubectl such as `Forwarding from 127.0.0.1:41234 -> 8443`; `None` for other
/// lines.
fn local_port(line: &str) -> Option<u16> {
    let (address, _) = line.strip_prefix("Forwarding from ")?.split_once(" -> ")?;
    address.rsplit_once(':')?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::local_port;

    #[test]
    fn kubectl_names_the_port() {
        assert_eq!(local_port("Forwarding from 127.0.0.1:41234 -> 8443\n"), Some(41234));
        assert_eq!(local_port("error: no such service"), None);
    }
}
