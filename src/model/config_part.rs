//! The optional parts of `config/`.

use std::collections::BTreeSet;

/// An optional part of `config/` that `opctl edit` adds or removes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Part {
    /// Serve metrics over HTTPS to clients that may read them.
    Metrics,
    /// Have the Prometheus operator collect the metrics.
    Prometheus,
    /// Let only labelled namespaces reach the metrics.
    NetworkPolicy,
    /// Have cert-manager sign the certificates of the metrics and of the webhooks.
    CertManager,
    /// Show dashboards of the metrics in Grafana.
    Grafana,
}

impl Part {
    /// Returns all parts of `config/`.
    pub fn all() -> impl Iterator<Item = Self> {
        <Self as clap::ValueEnum>::value_variants().iter().copied()
    }

    /// Returns the name on the command line and in `PROJECT`.
    pub fn name(self) -> &'static str {
        match self {
            Part::Metrics => "metrics",
            Part::Prometheus => "prometheus",
            Part::NetworkPolicy => "network-policy",
            Part::CertManager => "cert-manager",
            Part::Grafana => "grafana",
        }
    }

    /// Returns the part that this part depends on; `None` if this part depends on no other part.
    pub fn needs(self) -> Option<Part> {
        match self {
            Part::Metrics | Part::NetworkPolicy => None,
            Part::Prometheus | Part::CertManager | Part::Grafana => Some(Part::Metrics),
        }
    }

    /// Returns true if `opctl edit`, and not `opctl init`, creates the files of the part.
    pub fn is_made_later(self) -> bool {
        match self {
            Part::Metrics | Part::Prometheus | Part::NetworkPolicy => false,
            Part::CertManager | Part::Grafana => true,
        }
    }

    /// Returns the part with this name.
    pub(super) fn parse(name: &str) -> Option<Self> {
        Part::all().find(|part| part.name() == name)
    }

    /// Returns the parts of a new project.
    pub(super) fn defaults() -> BTreeSet<Self> {
        BTreeSet::from([Part::Metrics])
    }
}
