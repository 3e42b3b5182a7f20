//! The parts of `config/` that a project may do without.

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
    /// cert-manager signs the certificate of the metrics, so that who collects them can check it.
    CertManager,
    /// Grafana shows dashboards of the metrics.
    Grafana,
}

impl Part {
    /// All parts.
    pub const ALL: [Part; 5] = [Part::Metrics, Part::Prometheus, Part::NetworkPolicy, Part::CertManager, Part::Grafana];

    /// The name on the command line and in `PROJECT`.
    pub fn name(self) -> &'static str {
        match self {
            Part::Metrics => "metrics",
            Part::Prometheus => "prometheus",
            Part::NetworkPolicy => "network-policy",
            Part::CertManager => "cert-manager",
            Part::Grafana => "grafana",
        }
    }

    /// The part without which this one does nothing.
    pub fn needs(self) -> Option<Part> {
        match self {
            Part::Metrics | Part::NetworkPolicy => None,
            Part::Prometheus | Part::CertManager | Part::Grafana => Some(Part::Metrics),
        }
    }

    /// The part of this name.
    pub(super) fn parse(name: &str) -> Option<Self> {
        Part::ALL.into_iter().find(|part| part.name() == name)
    }

    /// What a new project has.
    pub(super) fn defaults() -> BTreeSet<Self> {
        BTreeSet::from([Part::Metrics])
    }
}
