//! `WebServer` of `v1alpha1` as one of `v1`, and back.
//!
//! The runtime keeps the fields that only one of the two versions has: do not convert them here.
use crate::{v1, v1alpha1};

impl From<v1alpha1::WebServer> for v1::WebServer {
    fn from(value: v1alpha1::WebServer) -> Self {
        Self {
            metadata: value.metadata,
            spec: value.spec.into(),
            status: value.status.map(Into::into),
        }
    }
}

impl From<v1alpha1::WebServerSpec> for v1::WebServerSpec {
    fn from(value: v1alpha1::WebServerSpec) -> Self {
        Self {
            replicas: value.replicas,
            mode: value.mode.into(),
            hosts: value.hosts,
            note: value.note,
            source: value.source.into(),
            tls: value.tls.map(Into::into),
            ports: value.ports.into_iter().map(Into::into).collect(),
            env: value
                .env
                .into_iter()
                .map(|(key, value)| (key, value.into()))
                .collect(),
        }
    }
}

impl From<v1alpha1::WebServerStatus> for v1::WebServerStatus {
    fn from(value: v1alpha1::WebServerStatus) -> Self {
        Self {
            observed_generation: value.observed_generation,
            conditions: value.conditions,
        }
    }
}

impl From<v1alpha1::WebServerMode> for v1::WebServerMode {
    fn from(value: v1alpha1::WebServerMode) -> Self {
        match value {
            v1alpha1::WebServerMode::Fast => Self::Fast,
            v1alpha1::WebServerMode::VerySafe => Self::VerySafe,
        }
    }
}

impl From<v1alpha1::WebServerSource> for v1::WebServerSource {
    fn from(value: v1alpha1::WebServerSource) -> Self {
        Self { claim: value.claim }
    }
}

impl From<v1alpha1::WebServerTls> for v1::WebServerTls {
    fn from(value: v1alpha1::WebServerTls) -> Self {
        Self {
            secret_name: value.secret_name,
        }
    }
}

impl From<v1alpha1::WebServerPort> for v1::WebServerPort {
    fn from(value: v1alpha1::WebServerPort) -> Self {
        Self { port: value.port }
    }
}

impl From<v1alpha1::WebServerEnv> for v1::WebServerEnv {
    fn from(value: v1alpha1::WebServerEnv) -> Self {
        Self { value: value.value }
    }
}

impl From<v1::WebServer> for v1alpha1::WebServer {
    fn from(value: v1::WebServer) -> Self {
        Self {
            metadata: value.metadata,
            spec: value.spec.into(),
            status: value.status.map(Into::into),
        }
    }
}

impl From<v1::WebServerSpec> for v1alpha1::WebServerSpec {
    fn from(value: v1::WebServerSpec) -> Self {
        Self {
            replicas: value.replicas,
            mode: value.mode.into(),
            hosts: value.hosts,
            note: value.note,
            source: value.source.into(),
            tls: value.tls.map(Into::into),
            ports: value.ports.into_iter().map(Into::into).collect(),
            env: value
                .env
                .into_iter()
                .map(|(key, value)| (key, value.into()))
                .collect(),
        }
    }
}

impl From<v1::WebServerStatus> for v1alpha1::WebServerStatus {
    fn from(value: v1::WebServerStatus) -> Self {
        Self {
            observed_generation: value.observed_generation,
            conditions: value.conditions,
        }
    }
}

impl From<v1::WebServerMode> for v1alpha1::WebServerMode {
    fn from(value: v1::WebServerMode) -> Self {
        match value {
            v1::WebServerMode::Fast => Self::Fast,
            v1::WebServerMode::VerySafe => Self::VerySafe,
        }
    }
}

impl From<v1::WebServerSource> for v1alpha1::WebServerSource {
    fn from(value: v1::WebServerSource) -> Self {
        Self { claim: value.claim }
    }
}

impl From<v1::WebServerTls> for v1alpha1::WebServerTls {
    fn from(value: v1::WebServerTls) -> Self {
        Self {
            secret_name: value.secret_name,
        }
    }
}

impl From<v1::WebServerPort> for v1alpha1::WebServerPort {
    fn from(value: v1::WebServerPort) -> Self {
        Self { port: value.port }
    }
}

impl From<v1::WebServerEnv> for v1alpha1::WebServerEnv {
    fn from(value: v1::WebServerEnv) -> Self {
        Self { value: value.value }
    }
}
