//! The options of `opctl bundle`.

/// The options for a bundle.
#[derive(Clone, Debug)]
pub struct BundleOptions {
    /// The name of the package.
    pub package: String,
    /// The operator's version, such as `0.1.0`.
    pub version: String,
    /// The channels that the bundle belongs to.
    pub channels: Vec<String>,
    /// The channel for users who choose no channel; if `None`, the first of `channels`.
    pub default_channel: Option<String>,
    /// True if opctl replaces files that the user edited.
    pub force: bool,
}
