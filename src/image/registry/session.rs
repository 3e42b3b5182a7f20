//! The requests of a push. If the registry refuses a request because a valid token is missing, as for the first
//! request and after the token has expired, the request is sent again with a new token.

use super::address::Address;
use super::answer::{text, with_reasons};
use super::credential::Credential;
use super::token::{Challenge, basic, challenge, parameters, query, token};
use crate::error::{Hint, hint};
use crate::host::is_this_machine;
use crate::{Error, Result};
use http::header::{AUTHORIZATION, CONTENT_TYPE, WWW_AUTHENTICATE};
use http::{Method, Request, Response, StatusCode, Uri};
use std::time::Duration;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body};

/// A function that finds the credential for a registry. The error is the reason why the credential cannot be read.
pub(super) type FindCredential = fn(&str) -> Result<Option<Credential>, String>;

/// A session with the registry to which images are pushed.
pub(super) struct Session<'a> {
    address: &'a Address,
    agent: Agent,
    find: FindCredential,
    /// The value of the header `Authorization` for the registry.
    authorization: Option<String>,
    /// True if a credential for the registry was found; `None` before the search.
    has_credential: Option<bool>,
}

impl<'a> Session<'a> {
    pub(super) fn new(address: &'a Address, find: FindCredential) -> Self {
        // Use the system's authorities, so that a company's proxy is trusted if the system trusts it.
        let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
        let config = Agent::config_builder()
            .tls_config(tls)
            .http_status_as_error(false)
            // A credential is sent where the registry is, and nowhere else.
            .max_redirects(0)
            .user_agent(concat!("opctl/", env!("CARGO_PKG_VERSION")))
            .timeout_resolve(Some(Duration::from_secs(10)))
            .timeout_connect(Some(Duration::from_secs(15)))
            .timeout_per_write(Some(Duration::from_secs(60)))
            .timeout_recv_response(Some(Duration::from_secs(120)))
            .timeout_recv_body(Some(Duration::from_secs(60)));
        Session { address, agent: config.build().into(), find, authorization: None, has_credential: None }
    }

    /// Sends a request. If the registry answers that it requires authorization, sends the request again with
    /// authorization.
    /// `media_type` is the type of `body`.
    pub(super) fn send(&mut self, method: &Method, url: &str, media_type: &str, body: &[u8]) -> Result<Response<Body>> {
        let answer = self.send_once(method, url, media_type, body)?;
        if answer.status() != StatusCode::UNAUTHORIZED {
            return Ok(answer);
        }
        let header = answer.headers().get(WWW_AUTHENTICATE).and_then(|header| header.to_str().ok());
        let Some(way) = header.and_then(challenge) else { return Ok(answer) };
        // A password that was refused is refused again.
        if self.authorization.is_some() && way == Challenge::Basic {
            return Ok(answer);
        }
        self.authorization = self.authorize(&way)?;
        self.send_once(method, url, media_type, body)
    }

    fn send_once(&self, method: &Method, url: &str, media_type: &str, body: &[u8]) -> Result<Response<Body>> {
        let uri: Uri =
            url.parse().map_err(|_| self.protocol_error(format!("the registry names an invalid address: `{url}`")))?;
        let mut request = Request::builder().method(method).uri(&uri);
        // An upload may lead to a server for the data, which has its own secret in the address.
        let own: Option<Uri> = self.address.url().parse().ok();
        let is_own = own.is_some_and(|own| own.authority() == uri.authority() && own.scheme() == uri.scheme());
        if let Some(authorization) = self.authorization.as_ref().filter(|_| is_own) {
            request = request.header(AUTHORIZATION, authorization);
        }
        if !is_own && uri.scheme_str() != Some("https") {
            return Err(self.protocol_error(format!("the registry sends the upload to `{url}`, which is not https")));
        }
        let sent = if body.is_empty() && matches!(*method, Method::HEAD | Method::GET) {
            request.body(()).map(|request| self.agent.run(request))
        } else {
            request.header(CONTENT_TYPE, media_type).body(body).map(|request| self.agent.run(request))
        };
        let sent = sent.map_err(|error| self.protocol_error(error))?;
        sent.map_err(|error| {
            Error::environment(format!("cannot reach the registry `{}`", self.address.registry)).source(&error)
        })
    }

    fn authorize(&mut self, way: &Challenge) -> Result<Option<String>> {
        let known = (self.find)(&self.address.registry).map_err(|reason| {
            Error::environment(format!("cannot read the credential for `{}`", self.address.registry))
                .caused_by(reason)
                .hint(self.login())
        })?;
        self.has_credential = Some(known.is_some());
        let named = match &known {
            Some(Credential::UsernamePassword(name, password)) => Some(basic(name, password)),
            _ => None,
        };
        let Challenge::Bearer { realm, service } = way else { return Ok(named) };
        let uri: Option<Uri> = realm.parse().ok();
        let is_local = |uri: &Uri| uri.host().is_some_and(is_this_machine) && is_this_machine(&self.address.registry);
        if !uri.is_some_and(|uri| uri.scheme_str() == Some("https") || is_local(&uri)) {
            return Err(
                self.protocol_error(format!("the registry requires a token from `{realm}`, which is not https"))
            );
        }
        let scope = format!("repository:{}:pull,push", self.address.path);
        let form = query(&parameters(service.as_deref(), &scope, known.as_ref()));
        let request = Request::builder();
        let answer = if matches!(known, Some(Credential::IdentityToken(_))) {
            let request = request.method(Method::POST).uri(realm);
            let request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded");
            request.body(form).map(|request| self.agent.run(request))
        } else {
            let between = if realm.contains('?') { '&' } else { '?' };
            let request = request.uri(format!("{realm}{between}{form}"));
            let request = named.into_iter().fold(request, |request, named| request.header(AUTHORIZATION, named));
            request.body(()).map(|request| self.agent.run(request))
        };
        let answer = answer.map_err(|error| self.protocol_error(error))?;
        let mut answer = answer
            .map_err(|error| Error::environment(format!("cannot request a token from `{realm}`")).source(&error))?;
        if !answer.status().is_success() {
            return Err(self.not_allowed(&mut answer));
        }
        let token =
            token(&text(&mut answer)).ok_or_else(|| self.protocol_error(format!("`{realm}` sends no token")))?;
        Ok(Some(format!("Bearer {token}")))
    }

    /// Returns the error for a response with an unsuccessful status. After status 401 or 403, the error's hint is to
    /// log in.
    pub(super) fn not_allowed(&self, answer: &mut Response<Body>) -> Error {
        let registry = &self.address.registry;
        let error = Error::environment(format!("cannot push to `{registry}/{}`", self.address.path));
        let status = answer.status();
        let mut error = with_reasons(error, answer);
        if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
            if self.has_credential == Some(false) {
                error = error.caused_by(format!("no credential for `{registry}` is configured"));
            }
            error = error.hint(self.login());
        }
        error
    }

    pub(super) fn protocol_error(&self, reason: impl std::fmt::Display) -> Error {
        Error::environment(format!(
            "the registry `{}` does not follow the OCI distribution protocol",
            self.address.registry
        ))
        .caused_by(reason)
    }

    fn login(&self) -> Hint {
        hint!("docker login {}    # or: podman login {}", self.address.registry, self.address.registry)
    }
}
