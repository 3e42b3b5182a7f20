//! Platforms of images.

use crate::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// A platform for which opctl builds images without a container engine: Linux on amd64 or on arm64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// `linux/amd64`
    Amd64,
    /// `linux/arm64`
    Arm64,
}

impl Platform {
    /// Returns the platform for Linux on this machine's processor, if the processor is supported.
    pub fn of_this_machine() -> Option<Self> {
        [Platform::Amd64, Platform::Arm64].into_iter().find(|platform| platform.machine() == std::env::consts::ARCH)
    }

    /// Returns the name of the architecture in images.
    pub fn architecture(self) -> &'static str {
        match self {
            Platform::Amd64 => "amd64",
            Platform::Arm64 => "arm64",
        }
    }

    /// Returns the name of the architecture in Rust's target triples.
    pub fn machine(self) -> &'static str {
        match self {
            Platform::Amd64 => "x86_64",
            Platform::Arm64 => "aarch64",
        }
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "linux/{}", self.architecture())
    }
}

impl FromStr for Platform {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let known = [Platform::Amd64, Platform::Arm64].into_iter().find(|platform| platform.to_string() == text);
        known.ok_or_else(|| {
            Error::usage(format!("`{text}` is not a platform that `--local` builds for"))
                .caused_by("`--local` builds for `linux/amd64` and `linux/arm64`")
                .hint("--platform linux/amd64")
        })
    }
}
