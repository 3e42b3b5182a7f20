//! Kinds, and the Rust types that are named after them.

use super::dns::label_1035_rule;
use super::names::{Kind, Plural, invalid, is_foreign_letter};
use super::{InvalidName, reserved};
use heck::ToUpperCamelCase;

/// The maximum length of a kind. The API server requires that the kind of lists, `<Kind>List`, is a DNS label when in
/// lower case.
const LONGEST_KIND: usize = 59;

impl Kind {
    /// Checks a kind by the API server's rule: in lower case, the kind is a DNS label of at most 59 characters.
    pub fn parse(text: &str) -> Result<Self, InvalidName> {
        let is_kind = text.len() <= LONGEST_KIND && label_1035_rule(&text.to_ascii_lowercase()).is_none();
        if is_kind { Ok(Kind::of(text)) } else { Kind::parse_new(text) }
    }

    /// Checks the kind of new types: an upper-camel-case identifier of at most 59 characters that generated code can
    /// use as a type's name.
    pub fn parse_new(text: &str) -> Result<Self, InvalidName> {
        let nearest = || {
            if text.chars().any(is_foreign_letter) {
                return None;
            }
            // 200 characters are enough for any name.
            let nearest = rust_name(&text.chars().take(200).collect::<String>());
            let nearest: String = nearest.chars().take(LONGEST_KIND).collect();
            Some(nearest).filter(|nearest| nearest.starts_with(|first: char| first.is_ascii_uppercase()))
        };
        let rule = if !text.starts_with(|first: char| first.is_ascii_uppercase()) {
            "it must begin with an upper-case letter"
        } else if !text.chars().all(|character| character.is_ascii_alphanumeric()) {
            "it must consist of the letters A to Z and digits, in upper camel case"
        } else if text.len() > LONGEST_KIND {
            "at most 59 characters are allowed, so that `<Kind>List` is a DNS label"
        } else if let Some(rule) = reserved::kind_rule(text) {
            return Err(invalid("kind", text, rule, Some(without_reserved(text.to_owned()))));
        } else {
            return Ok(Kind::of(text));
        };
        Err(invalid("kind", text, rule, nearest().or_else(|| Some("WebServer".to_owned()))))
    }

    /// Returns the name of the Rust type. The name is the kind itself if the kind is in upper camel case and is not a
    /// reserved name. Otherwise, converts the kind to upper camel case, and appends `Resource` if the result is a
    /// reserved name.
    pub fn rust_name(&self) -> String {
        let kind = self.as_str();
        if Kind::parse_new(kind).is_ok() { kind.to_owned() } else { rust_name(kind) }
    }

    /// Returns the singular name: the kind in lower case.
    pub fn singular(&self) -> String {
        self.as_str().to_ascii_lowercase()
    }

    /// Returns the plural that kubebuilder would choose for the kind.
    pub fn default_plural(&self) -> Plural {
        Plural::usual(&self.singular())
    }
}

fn rust_name(kind: &str) -> String {
    let is_camel = kind.starts_with(|first: char| first.is_ascii_uppercase())
        && kind.chars().all(|character| character.is_ascii_alphanumeric());
    let name = if is_camel { kind.to_owned() } else { kind.to_upper_camel_case() };
    without_reserved(name.chars().filter(char::is_ascii_alphanumeric).collect())
}

fn without_reserved(name: String) -> String {
    if reserved::kind_rule(&name).is_some() { format!("{name}Resource") } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_kinds_are_upper_camel_case() {
        for good in ["WebServer", "HTTPRoute", "DNSZone", "Redis", "Index", "Proxy", "Data", "X", "Service", "Config"] {
            let kind = Kind::parse_new(good).expect(good);
            assert_eq!(kind.rust_name(), good);
        }
        for (bad, suggestion) in [
            ("", "WebServer"),
            ("webServer", "WebServer"),
            ("web-server", "WebServer"),
            ("Web_Server", "WebServer"),
            ("Größe", "WebServer"),
            ("9Lives", "WebServer"),
            ("Option", "OptionResource"),
            ("option", "OptionResource"),
            ("Self", "SelfResource"),
        ] {
            let error = Kind::parse_new(bad).expect_err(bad);
            assert_eq!(error.suggestion.as_deref(), Some(suggestion), "{bad}");
        }
        assert!(Kind::parse_new(&"A".repeat(59)).is_ok());
        assert!(Kind::parse_new(&"A".repeat(60)).is_err());
    }

    #[test]
    fn every_kind_of_the_api_server_has_a_rust_type() {
        for (kind, name) in [
            ("postgresql", "Postgresql"),
            ("vCluster", "VCluster"),
            ("web-server", "WebServer"),
            ("HTTP-route", "HttpRoute"),
            ("HTTPRoute", "HTTPRoute"),
            ("a1", "A1"),
            ("x-1-y", "X1Y"),
            ("Option", "OptionResource"),
            ("string", "StringResource"),
            ("true", "True"),
        ] {
            let parsed = Kind::parse(kind).expect(kind);
            assert_eq!((parsed.as_str(), parsed.rust_name().as_str()), (kind, name));
        }
        for bad in ["", "Web_Server", "Größe", "9Lives", "-a", "a-", "a.b"] {
            assert!(Kind::parse(bad).is_err(), "{bad}");
        }
        assert!(Kind::parse(&"a".repeat(60)).is_err());
    }
}
