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
}

impl Part {
    /// All parts.
    pub const ALL: [Part; 3] = [Part::Metrics, Part::Prometheus, Part::NetworkPolicy];

    /// The name on the command line and in `PROJECT`.
    pub fn name(self) -> &'static str {
        match self {
            Part::Metrics => "metrics",
            Part::Prometheus => "prometheus",
            Part::NetworkPolicy => "network-policy",
        }
    }

    /// The part without which this one does nothing.
    pub fn needs(self) -> Option<Part> {
        match self {
            Part::Metrics | Part::NetworkPolicy => None,
            Part::Prometheus => Some(Part::Metrics),
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
