//! Requests to the API server.

use super::{KINDS, Kind};
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub method: String,
    pub kind: &'static Kind,
    pub namespace: Option<String>,
    pub name: Option<String>,
    pub subresource: String,
    pub query: BTreeMap<String, String>,
    /// The content type without `application/`.
    pub content: String,
    pub body: Value,
}

impl Request {
    /// Reads a request. Panics if the model does not support the request.
    pub(crate) fn read(method: &str, uri: &str, content: &str, body: &[u8]) -> Self {
        let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
        let mut parts = path.split('/').filter(|part| !part.is_empty());
        let group = match parts.next() {
            Some("apis") => parts.next().unwrap_or_default(),
            _ => "",
        };
        let _version = parts.next();
        let mut parts = parts.peekable();
        let namespace = parts.next_if_eq(&"namespaces").and_then(|_| parts.next()).map(str::to_owned);
        let plural = parts.next().unwrap_or_default();
        let kind = KINDS.iter().find(|kind| (kind.group, kind.plural) == (group, plural));
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        Self {
            method: method.to_owned(),
            kind: kind.unwrap_or_else(|| panic!("the model has no {path}")),
            namespace,
            name: parts.next().map(str::to_owned),
            subresource: parts.next().unwrap_or_default().to_owned(),
            query: pairs.map(|(name, value)| (name.to_owned(), decoded(value))).collect(),
            content: content.trim_start_matches("application/").to_owned(),
            body: serde_json::from_slice(body).unwrap_or_default(),
        }
    }

    /// Makes a request of a client other than the operator.
    pub(crate) fn new(method: &str, plural: &str, name: &str, body: Value) -> Self {
        Self {
            method: method.to_owned(),
            kind: KINDS.iter().find(|kind| kind.plural == plural).unwrap(),
            namespace: Some("ns".to_owned()),
            name: (method != "POST").then(|| name.to_owned()),
            subresource: String::new(),
            query: BTreeMap::from([("fieldManager".to_owned(), "user".to_owned())]),
            content: "merge-patch+json".to_owned(),
            body,
        }
    }

    pub(crate) fn asks(&self, parameter: &str) -> Option<&str> {
        self.query.get(parameter).map(String::as_str).filter(|value| !value.is_empty())
    }

    pub(crate) fn is_watch(&self) -> bool {
        self.method == "GET" && self.asks("watch") == Some("true")
    }

    pub(crate) fn writes(&self) -> bool {
        self.method != "GET"
    }

    /// Returns true if the request is neither about a lease nor about an event.
    pub(crate) fn is_work(&self) -> bool {
        !matches!(self.kind.plural, "leases" | "events")
    }

    /// Returns the request as one line for traces, without random values.
    pub(crate) fn line(&self) -> String {
        let name = match (&self.name, self.kind.plural) {
            (_, "events") => format!(
                "{} {}",
                self.body["regarding"]["name"].as_str().unwrap_or_default(),
                self.body["reason"].as_str().unwrap_or_default()
            ),
            (Some(name), _) => name.clone(),
            (None, _) => self.body["metadata"]["name"].as_str().unwrap_or_default().to_owned(),
        };
        let verb = if self.is_watch() { "WATCH" } else { &self.method };
        let page = self.asks("continue").or(self.asks("resourceVersion")).unwrap_or_default();
        format!("{verb} {} {name} {} {} {page}", self.kind.plural, self.subresource, self.content)
    }
}

fn decoded(text: &str) -> String {
    let mut bytes = text.bytes();
    let mut decoded = Vec::new();
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'%' => {
                let digits = [bytes.next(), bytes.next()].map(|digit| digit.map_or('0', char::from));
                u8::from_str_radix(&digits.iter().collect::<String>(), 16).unwrap_or_default()
            }
            b'+' => b' ',
            byte => byte,
        });
    }
    String::from_utf8(decoded).unwrap_or_default()
}
