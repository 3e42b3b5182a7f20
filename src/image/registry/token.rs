//! Tokens of registries (<https://distribution.github.io/distribution/spec/auth/token/>).

use super::credential::Credential;
use base64::{Engine, prelude::BASE64_STANDARD};
use http_auth::ChallengeRef;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

/// A method of authorization that a registry offers.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Challenge {
    /// Each request contains the user name and the password.
    Basic,
    /// Each request contains a token from the server at `realm`.
    Bearer { realm: String, service: Option<String> },
}

/// Returns the method of authorization to use from a header `WWW-Authenticate`: `Bearer` if the registry offers it,
/// otherwise `Basic`; `None` if the header offers neither.
pub(super) fn challenge(header: &str) -> Option<Challenge> {
    let offered = http_auth::parse_challenges(header).ok()?;
    let parameter = |challenge: &ChallengeRef, name: &str| {
        let found = challenge.params.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.to_unescaped())
    };
    let bearer = offered.iter().find(|challenge| challenge.scheme.eq_ignore_ascii_case("bearer"));
    if let Some(bearer) = bearer {
        return Some(Challenge::Bearer { realm: parameter(bearer, "realm")?, service: parameter(bearer, "service") });
    }
    offered.iter().any(|challenge| challenge.scheme.eq_ignore_ascii_case("basic")).then_some(Challenge::Basic)
}

/// Returns the value of the header `Authorization` for a user name and a password.
pub(super) fn basic(name: &str, password: &str) -> String {
    format!("Basic {}", BASE64_STANDARD.encode(format!("{name}:{password}")))
}

/// Returns the parameters as `name=value&…`, percent-encoded for a URL or a form.
pub(super) fn query(parameters: &[(&str, &str)]) -> String {
    let encoded = |text| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let pairs: Vec<String> =
        parameters.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
    pairs.join("&")
}

/// Returns the parameters of a request for a token with the rights in `scope`.
pub(super) fn parameters<'a>(
    service: Option<&'a str>,
    scope: &'a str,
    credential: Option<&'a Credential>,
) -> Vec<(&'a str, &'a str)> {
    let mut parameters: Vec<_> = service.map(|service| ("service", service)).into_iter().collect();
    parameters.push(("scope", scope));
    if let Some(Credential::IdentityToken(token)) = credential {
        parameters.extend([("grant_type", "refresh_token"), ("client_id", "opctl"), ("refresh_token", token)]);
    }
    parameters
}

/// Returns the token in the response of a token server; `None` if the response contains no token.
pub(super) fn token(answer: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Answer {
        token: Option<String>,
        access_token: Option<String>,
    }
    let answer: Answer = serde_json::from_str(answer).ok()?;
    answer.token.or(answer.access_token).filter(|token| !token.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_way_of_a_header_is_taken() {
        let bearer = |realm: &str, service: Option<&str>| {
            Some(Challenge::Bearer { realm: realm.to_owned(), service: service.map(str::to_owned) })
        };
        for (header, expected) in [
            (
                r#"Bearer realm="https://a.io/token",service="a.io",scope="x""#,
                bearer("https://a.io/token", Some("a.io")),
            ),
            (r#"Basic realm="r", bearer realm="https://a.io/t""#, bearer("https://a.io/t", None)),
            (r#"Basic realm="r""#, Some(Challenge::Basic)),
            ("Bearer service=\"a\"", None),
            ("Negotiate", None),
            ("", None),
        ] {
            assert_eq!(challenge(header), expected, "{header}");
        }
    }

    #[test]
    fn a_token_has_one_of_two_names() {
        for (answer, expected) in [
            (r#"{"token": "a"}"#, Some("a")),
            (r#"{"access_token": "b", "expires_in": 60}"#, Some("b")),
            (r#"{"token": ""}"#, None),
            ("{}", None),
            ("<html>", None),
        ] {
            assert_eq!(token(answer).as_deref(), expected, "{answer}");
        }
    }
}
