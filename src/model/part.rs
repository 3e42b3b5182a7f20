//! The optional parts of `config/`.

use std::collections::BTreeSet;

/// A part of `config/` that `opctl edit` puts in or takes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Part {
    /// The manager serves metrics over HTTPS to those who may read them.
    Metrics,
    /// The Prometheus operator is told to collect the metrics.
    Prometheus,
    /// Only chosen namespaces reach the metrics.
    NetworkPolicy,
    /// cert-manager signs the certificates of the metrics and of the webhooks.
    CertManager,
    /// Grafana shows dashboards of the metrics.
    Grafana,
}

impl Part {
    /// Returns all parts.
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

    /// Returns the part that this part depends on.
    pub fn needs(self) -> Option<Part> {
        match self {
            Part::Metrics | Part::NetworkPolicy => None,
            Part::Prometheus | Part::CertManager | Part::Grafana => Some(Part::Metrics),
        }
    }

    /// Returns true for a part whose files `opctl edit` creates, and not `opctl init`.
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
