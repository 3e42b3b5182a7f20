//! The webhooks in the project's manifests.

use crate::manifest::{DEFINITIONS, WEBHOOKS_FILE};
use crate::reading::{self, Limit};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The webhooks in the project's manifests, to apply to the cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ManifestWebhooks {
    /// The text of `config/webhook/manifests.yaml`; empty without admission webhooks.
    pub(super) admission: String,
    /// The files below `config/crd/bases` that have a conversion.
    pub(super) conversions: Vec<PathBuf>,
}

/// Returns the CRD files and the webhook manifest of the project at `root`, each with its size and the time of its last
/// change, if known. Comparing sizes and times is cheaper than reading many manifests.
pub(super) fn stamps(root: &Path) -> Vec<(PathBuf, u64, Option<SystemTime>)> {
    let definitions = std::fs::read_dir(root.join(DEFINITIONS)).into_iter().flatten().flatten();
    let files = definitions.map(|entry| entry.path()).chain([root.join(WEBHOOKS_FILE)]);
    let stamp = |file: PathBuf| {
        let metadata = file.metadata().ok()?;
        Some((file, metadata.len(), metadata.modified().ok()))
    };
    let mut stamps: Vec<_> = files.filter_map(stamp).collect();
    stamps.sort();
    stamps
}

impl ManifestWebhooks {
    /// Reads the project's manifests.
    pub(super) fn read(root: &Path) -> Self {
        let admission = reading::text_within(root, WEBHOOKS_FILE, Limit::Source).unwrap_or_default();
        let files = stamps(root).into_iter().map(|(file, ..)| file).filter(|file| !file.ends_with(WEBHOOKS_FILE));
        let is_converted = |file: &PathBuf| {
            let text = reading::text(file, Limit::Source).unwrap_or_default();
            text.lines().any(|line| line.trim() == "strategy: Webhook")
        };
        ManifestWebhooks { admission, conversions: files.filter(is_converted).collect() }
    }

    pub(super) fn has_webhooks(&self) -> bool {
        *self != ManifestWebhooks::default()
    }
}
