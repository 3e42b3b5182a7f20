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
            tls: value.tls.map(Into::into),
            listeners: value.listeners.into_iter().map(Into::into).collect(),
            routes: value
                .routes
                .into_iter()
                .map(|(key, value)| (key, value.into()))
                .collect(),
            certificates_of_the_server: value
                .certificates_of_the_server
                .into_iter()
                .map(Into::into)
                .collect(),
            protocol: value.protocol.into(),
            r#type: value.r#type,
            size: Some(value.size),
            // WebServerSpec.replicas has another type in v1alpha1: write this conversion by hand.
            message: "hello".to_owned(),
            labels: Default::default(),
            // WebServerSpec.owner is only in v1: write its value.
            // v1 has no grace: the runtime keeps it in an annotation.
        }
    }
}

impl From<v1alpha1::WebServerStatus> for v1::WebServerStatus {
    fn from(_: v1alpha1::WebServerStatus) -> Self {
        Self {
            ready: Default::default(),
        }
    }
}

impl From<v1alpha1::Tls> for v1::Tls {
    fn from(value: v1alpha1::Tls) -> Self {
        Self {
            secret: value.secret,
        }
    }
}

impl From<v1alpha1::Listener> for v1::Listener {
    fn from(value: v1alpha1::Listener) -> Self {
        Self {
            port: value.port.into(),
            name: None,
        }
    }
}

impl From<v1alpha1::Protocol> for v1::Protocol {
    fn from(value: v1alpha1::Protocol) -> Self {
        match value {
            v1alpha1::Protocol::Http => Self::Http,
            v1alpha1::Protocol::Https(value) => Self::Https(value.into()),
            v1alpha1::Protocol::Tcp { port } => Self::Tcp { port: port.into() },
            // `Protocol::Old` has no matching variant in v1: write how to convert it.
        }
    }
}

impl From<v1alpha1::Port> for v1::Port {
    fn from(value: v1alpha1::Port) -> Self {
        Self(value.0)
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
            tls: value.tls.map(Into::into),
            listeners: value.listeners.into_iter().map(Into::into).collect(),
            routes: value
                .routes
                .into_iter()
                .map(|(key, value)| (key, value.into()))
                .collect(),
            certificates_of_the_server: value
                .certificates_of_the_server
                .into_iter()
                .map(Into::into)
                .collect(),
            protocol: value.protocol.into(),
            r#type: value.r#type,
            // WebServerSpec.size has another type in v1: write this conversion by hand.
            // WebServerSpec.replicas has another type in v1: write this conversion by hand.
            // WebServerSpec.grace is only in v1alpha1: write its value.
            // v1alpha1 has no message, labels, owner: the runtime keeps them in an annotation.
        }
    }
}

impl From<v1::WebServerStatus> for v1alpha1::WebServerStatus {
    fn from(_: v1::WebServerStatus) -> Self {
        Self {
            // v1alpha1 has no ready: the runtime keeps it in an annotation.
        }
    }
}

impl From<v1::Tls> for v1alpha1::Tls {
    fn from(value: v1::Tls) -> Self {
        Self {
            secret: value.secret,
        }
    }
}

impl From<v1::Listener> for v1alpha1::Listener {
    fn from(value: v1::Listener) -> Self {
        Self {
            port: value.port.into(),
            // v1alpha1 has no name: the runtime keeps it in an annotation.
        }
    }
}

impl From<v1::Protocol> for v1alpha1::Protocol {
    fn from(value: v1::Protocol) -> Self {
        match value {
            v1::Protocol::Http => Self::Http,
            v1::Protocol::Https(value) => Self::Https(value.into()),
            v1::Protocol::Tcp { port } => Self::Tcp { port: port.into() },
        }
    }
}

impl From<v1::Port> for v1alpha1::Port {
    fn from(value: v1::Port) -> Self {
        Self(value.0)
    }
}
