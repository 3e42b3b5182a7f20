//! Reads the platform of an operator's program from its ELF headers, and checks whether the program needs libraries
//! from the image.

use super::platform::Platform;
use elf::ElfBytes;
use elf::abi::{EM_AARCH64, EM_X86_64, PT_INTERP};
use elf::endian::LittleEndian;

/// The properties of a program that determine in which images the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program {
    /// The platform that the program is compiled for.
    pub platform: Platform,
    /// True if the program needs no libraries from the image.
    pub is_static: bool,
}

/// Reads the headers of a program. Returns `None` if `bytes` are not an ELF program for a supported platform.
pub fn read_program(bytes: &[u8]) -> Option<Program> {
    let file = ElfBytes::<LittleEndian>::minimal_parse(bytes).ok()?;
    let platform = match file.ehdr.e_machine {
        EM_X86_64 => Platform::Amd64,
        EM_AARCH64 => Platform::Arm64,
        _ => return None,
    };
    // The dynamic linker, by its path in the image, loads the libraries (elf(5), `PT_INTERP`).
    let is_static = !file.segments()?.iter().any(|segment| segment.p_type == PT_INTERP);
    Some(Program { platform, is_static })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn a_program_tells_its_platform_and_whether_it_needs_libraries() {
        let itself = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let program = read_program(&itself).unwrap();
        assert_eq!(Some(program.platform), Platform::of_this_machine());
        assert!(!program.is_static);
        for bytes in [&b""[..], b"#!/bin/sh\n", b"\x7fELF", &itself[..63], &itself[..100]] {
            assert_eq!(read_program(bytes), None);
        }
    }
}
