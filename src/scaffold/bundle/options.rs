//! The choices for a bundle.

/// Choices for a bundle.
#[derive(Clone, Debug)]
pub struct BundleOptions {
    /// The name of the package.
    pub package: String,
    /// The operator's version, such as `0.1.0`.
    pub version: String,
    /// The channels that the bundle belongs to.
    pub channels: Vec<String>,
    /// The channel of those who choose none; the first one, if there is none.
    pub default_channel: Option<String>,
    /// Replace files that somebody edited.
    pub force: bool,
}
