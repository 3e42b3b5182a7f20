//! The two possible sources of a project's runtime crate.

/// The source of the runtime crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum RuntimeSource {
    /// The folder `runtime/` of the project.
    Vendored,
    /// The crate `opctl-runtime` of crates.io.
    Registry,
}

impl RuntimeSource {
    /// The source for projects that do not choose a source.
    pub const DEFAULT: RuntimeSource = RuntimeSource::Vendored;

    /// Returns the name of the source on the command line and in `PROJECT`.
    pub fn name(self) -> &'static str {
        match self {
            RuntimeSource::Vendored => "vendored",
            RuntimeSource::Registry => "registry",
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        [RuntimeSource::Vendored, RuntimeSource::Registry].into_iter().find(|source| source.name() == text)
    }
}
