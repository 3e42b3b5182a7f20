//! The pause image, whose container holds the namespaces of a pod. opctl builds this image, so that a node works
//! without a registry: an archive in the format of `docker save` with one program, which waits forever.

use crate::image::{File, tar};
use crate::{Error, Result};
use serde_json::json;
use sha2::{Digest, Sha256};

/// The name of the pause image.
pub(super) const IMAGE: &str = "localhost/opctl-pause:1";

/// The memory address at which the pause program is loaded.
const BASE: u64 = 0x40_0000;
/// The sizes of the file header and of the program header in an ELF file (elf(5)).
const HEADERS: [u16; 2] = [64, 56];

/// Returns the ELF machine number and the code that waits forever; `None` for an unsupported architecture.
fn code() -> Option<(u16, Vec<u8>)> {
    match std::env::consts::ARCH {
        // mov eax, 34 (pause); syscall; jmp to the first
        "x86_64" => Some((62, vec![0xb8, 34, 0, 0, 0, 0x0f, 0x05, 0xeb, 0xf7])),
        // mov x0..x3, 0; mov x8, 73 (ppoll); svc 0; b to the first
        "aarch64" => {
            let words: [u32; 7] =
                [0xd280_0000, 0xd280_0001, 0xd280_0002, 0xd280_0003, 0xd280_0928, 0xd400_0001, 0x17ff_fffa];
            Some((183, words.iter().flat_map(|word| word.to_le_bytes()).collect()))
        }
        _ => None,
    }
}

/// Returns the pause program as an ELF file with one segment; `None` for an unsupported architecture.
fn program() -> Option<Vec<u8>> {
    let (machine, code) = code()?;
    let [header, segment] = HEADERS;
    let start = u64::from(header + segment);
    let size = start + code.len() as u64;
    let mut file = b"\x7fELF\x02\x01\x01".to_vec();
    file.resize(16, 0);
    let executable = 2_u16;
    file.extend([executable, machine].iter().flat_map(|number| number.to_le_bytes()));
    file.extend(1_u32.to_le_bytes());
    file.extend([BASE + start, u64::from(header), 0].iter().flat_map(|number| number.to_le_bytes()));
    file.extend(0_u32.to_le_bytes());
    file.extend([header, segment, 1, 64, 0, 0].iter().flat_map(|number| number.to_le_bytes()));
    let (load, readable_and_executable) = (1_u32, 5_u32);
    file.extend([load, readable_and_executable].iter().flat_map(|number| number.to_le_bytes()));
    file.extend([0, BASE, BASE, size, size, 0x1000].iter().flat_map(|number: &u64| number.to_le_bytes()));
    file.extend(code);
    Some(file)
}

/// Returns the archive of the pause image.
pub(super) fn archive() -> Result<Vec<u8>> {
    let machine = std::env::consts::ARCH;
    let program = program().ok_or_else(|| {
        Error::environment(format!("nodes do not run on `{machine}`"))
            .caused_by("a node runs only on x86_64 and aarch64")
            .hint("opctl envtest start --simulate-nodes    # without containers")
    })?;
    let failed = |error: std::io::Error| Error::bug("cannot build the pause image").source(&error);
    let layer = tar(&[File { path: "pause", mode: 0o755, content: &program }]).map_err(failed)?;
    let digest = format!("{:x}", Sha256::digest(&layer));
    let architecture = if machine == "aarch64" { "arm64" } else { "amd64" };
    let configuration = json!({
        "architecture": architecture,
        "os": "linux",
        "config": {"Entrypoint": ["/pause"], "User": "65535:65535"},
        "rootfs": {"type": "layers", "diff_ids": [format!("sha256:{digest}")]},
    });
    let manifest = json!([{"Config": "config.json", "RepoTags": [IMAGE], "Layers": ["layer.tar"]}]);
    let (manifest, configuration) = (manifest.to_string(), configuration.to_string());
    let file = |path, content| File { path, mode: 0o644, content };
    tar(&[
        file("manifest.json", manifest.as_bytes()),
        file("config.json", configuration.as_bytes()),
        file("layer.tar", layer.as_slice()),
    ])
    .map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::program;
    use crate::system::set_mode;
    use std::process::Command;
    use std::time::Duration;

    #[test]
    #[cfg(target_os = "linux")]
    fn the_program_runs_until_it_is_killed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pause");
        std::fs::write(&path, program().unwrap()).unwrap();
        set_mode(&path, 0o755).unwrap();
        let mut child = Command::new(&path).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(child.try_wait().unwrap(), None);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
