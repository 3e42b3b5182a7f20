//! `.opctl/files.yaml`: what opctl generated, by hash, so that pristine and edited files can be told apart.

use crate::{Error, Result, yaml};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The ledger's path below the project's root.
pub const LEDGER_FILE: &str = ".opctl/files.yaml";

const HEADER: &str =
    "# What opctl generated, and the SHA-256 of it: a file of another hash was edited since. Commit this file.\n";

/// What opctl generated, and which opctl did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Ledger {
    /// The opctl that wrote to the project last.
    pub opctl: String,
    /// Hash of what was generated, by path.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
}

impl Ledger {
    /// Reads the ledger.
    ///
    /// # Errors
    /// A file that is not the ledger's YAML.
    pub fn parse(text: &str) -> Result<Self> {
        serde_yaml::from_str(text).map_err(|error| {
            Error::user(format!("`{LEDGER_FILE}` is damaged"))
                .caused_by(error.to_string().lines().next().unwrap_or_default())
                .hint(format!("git checkout {LEDGER_FILE}"))
        })
    }

    /// Writes the ledger.
    pub fn to_text(&self) -> String {
        format!("{HEADER}{}", yaml::document(&serde_json::json!({ "opctl": self.opctl, "files": self.files })))
    }

    /// Whether `content` is what opctl generated at `path`.
    pub fn is_pristine(&self, path: &str, content: &str) -> bool {
        self.files.get(path).is_some_and(|known| *known == hash(content))
    }
}

/// SHA-256 in hexadecimal, of the text with `\n` at line ends: a checkout with `\r\n` is not an edit.
pub fn hash(text: &str) -> String {
    use std::fmt::Write;
    let digest = if text.contains('\r') {
        Sha256::digest(text.replace("\r\n", "\n").as_bytes())
    } else {
        Sha256::digest(text.as_bytes())
    };
    digest.iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
