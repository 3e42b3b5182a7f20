//! Reserves free ports by a lock on a file for each port. opctl and controller-runtime (pkg/internal/testing/addr)
//! use the same folder for these files, so that their tests never take the same port.

use crate::system;
use crate::{Error, Result};
use std::fs::{self, File};
use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;

/// The time for which a port stays reserved after its file is unlocked, as in controller-runtime.
const RESERVED: Duration = Duration::from_secs(120);
const TRIES: usize = 100;

/// Free ports of the loopback interface. Until this value is dropped, locked files reserve the ports, so that no other
/// control plane of opctl or controller-runtime uses them.
#[derive(Debug)]
pub(super) struct Ports<const N: usize> {
    /// The port numbers, which are all different.
    pub(super) numbers: [u16; N],
    _locks: Vec<File>,
}

impl<const N: usize> Ports<N> {
    /// Reserves free ports in `folder`. If the folder cannot be created, the ports are chosen but not reserved, and the
    /// caller must retry if another process takes a port.
    pub(super) fn reserve(folder: &Path) -> Result<Self> {
        let reserving = system::create_folders(folder).is_ok();
        if reserving {
            clear_outdated(folder);
        }
        let failed = |error: &std::io::Error| Error::environment("no port of `127.0.0.1` is free").source(error);
        let mut numbers = [0; N];
        // Kept open until all ports are found, so that they differ.
        let mut listeners = Vec::new();
        let mut locks = Vec::new();
        for _ in 0..TRIES {
            let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(|error| failed(&error))?;
            let port = listener.local_addr().map_err(|error| failed(&error))?.port();
            listeners.push(listener);
            if reserving {
                match system::create_file(folder.join(format!("port-{port}"))) {
                    Ok(file) if file.try_lock().is_ok() => locks.push(file),
                    Ok(_) => continue,
                    Err(error) => return Err(failed(&error)),
                }
            }
            if let Some(free) = numbers.iter_mut().find(|number| **number == 0) {
                *free = port;
            }
            if numbers.iter().all(|number| *number != 0) {
                return Ok(Ports { numbers, _locks: locks });
            }
        }
        Err(Error::environment("no port of `127.0.0.1` is free").caused_by(
            "every port that opctl tried is reserved \
             for the control plane of another test",
        ))
    }
}

fn clear_outdated(folder: &Path) {
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        let ours = file.file_name().to_string_lossy().starts_with("port-");
        let modified = file.metadata().and_then(|data| data.modified());
        let old = modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > RESERVED));
        if ours && old {
            // Another test may have removed it already.
            let _ = fs::remove_file(file.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_differ_and_are_locked() {
        let folder = tempfile::tempdir().unwrap();
        let ports = Ports::<3>::reserve(folder.path()).unwrap();
        let [one, two, three] = ports.numbers;
        assert!(one != two && two != three && one != three);
        let file = File::open(folder.path().join(format!("port-{one}"))).unwrap();
        assert!(file.try_lock().is_err());
        drop(ports);
        // Wait for the lock: a process that another test is just starting holds the file until it executes its program.
        file.lock().unwrap();
    }
}
