//! `WebServer` of `v1beta1` as one of `v1`, and back.
//!
//! The runtime keeps the fields that only one of the two versions has: do not convert them here.
use crate::{v1, v1beta1};

impl From<v1beta1::WebServer> for v1::WebServer {
    fn from(value: v1beta1::WebServer) -> Self {
        Self {
            metadata: value.metadata,
            spec: value.spec.into(),
            status: value.status.map(Into::into),
        }
    }
}

impl From<v1beta1::WebServerSpec> for v1::WebServerSpec {
    fn from(value: v1beta1::WebServerSpec) -> Self {
        Self {
            replicas: value.replicas,
            mode: value.mode.into(),
            hosts: value.hosts,
            note: value.note,
        }
    }
}

impl From<v1beta1::WebServerStatus> for v1::WebServerStatus {
    fn from(value: v1beta1::WebServerStatus) -> Self {
        Self {
            observed_generation: value.observed_generation,
            conditions: value.conditions,
        }
    }
}

impl From<v1beta1::WebServerMode> for v1::WebServerMode {
    fn from(value: v1beta1::WebServerMode) -> Self {
        match value {
            v1beta1::WebServerMode::Fast => Self::Fast,
            v1beta1::WebServerMode::VerySafe => Self::VerySafe,
        }
    }
}

impl From<v1::WebServer> for v1beta1::WebServer {
    fn from(value: v1::WebServer) -> Self {
        Self {
            metadata: value.metadata,
            spec: value.spec.into(),
            status: value.status.map(Into::into),
        }
    }
}

impl From<v1::WebServerSpec> for v1beta1::WebServerSpec {
    fn from(value: v1::WebServerSpec) -> Self {
        Self {
            replicas: value.replicas,
            mode: value.mode.into(),
            hosts: value.hosts,
            note: value.note,
        }
    }
}

impl From<v1::WebServerStatus> for v1beta1::WebServerStatus {
    fn from(value: v1::WebServerStatus) -> Self {
        Self {
            observed_generation: value.observed_generation,
            conditions: value.conditions,
        }
    }
}

impl From<v1::WebServerMode> for v1beta1::WebServerMode {
    fn from(value: v1::WebServerMode) -> Self {
        match value {
            v1::WebServerMode::Fast => Self::Fast,
            v1::WebServerMode::VerySafe => Self::VerySafe,
        }
    }
}
