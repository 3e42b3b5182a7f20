//! Submits CRDs to an API server, one at a time, and collects its refusals and warnings.

use super::apply::Apply;
use super::crd::crd_api::{RESOURCE, api_resource};
use super::install::until_served;
use super::request::condition::condition;
use super::{Attempt, Connection, Definition, request_error};
use crate::Result;
use http::Response;
use kube::Api;
use kube::api::{DynamicObject, Patch, PatchParams};
use kube::client::Body;
use kube::core::{Request, Status};
use kube::{Client, Resource};

/// A refusal: the path of the refused field in the server's notation, and the reason.
pub type CrdRefusal = (String, String);

/// The server's verdict on a CRD; empty if the server accepts the CRD without warnings.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// The reasons why the server refuses the CRD.
    pub refused: Vec<CrdRefusal>,
    /// The warnings, as the server writes them.
    pub warnings: Vec<String>,
}

/// Applies a CRD with strict validation, waits until the CRD is served, and returns the server's verdict.
///
/// # Errors
/// Fails if the server cannot be reached, or if a request fails for a reason other than the content of the CRD.
pub async fn judge(connection: &Connection, definition: &Definition) -> Result<Judgement> {
    let refusing = |refused| Judgement { refused, ..Judgement::default() };
    let api: Api<DynamicObject> = Api::all_with(connection.client.clone(), &api_resource());
    let parameters = Apply { force_conflicts: true, dry_run: false, keeps_run: false }.parameters();
    let attempt = |verb| Attempt { verb, resource: RESOURCE, name: &definition.name, namespace: None };
    let (applied, warnings) = match patch(&connection.client, definition, &parameters).await {
        Ok(answer) => answer,
        Err(kube::Error::Api(status)) if [400, 422, 500].contains(&status.code) => {
            let causes = status.details.iter().flat_map(|details| &details.causes);
            // Causes without a field only repeat the others.
            let said: Vec<CrdRefusal> = causes
                .filter(|cause| !cause.field.is_empty())
                .map(|cause| (cause.field.clone(), cause.message.clone()))
                .collect();
            let whole = || vec![(String::new(), status.message.clone())];
            return Ok(refusing(if said.is_empty() { whole() } else { said }));
        }
        Err(error) => return Err(request_error(&error, connection, attempt("patch"))),
    };
    if let Some(refused) = message_of(&applied, "NamesAccepted", "False") {
        return Ok(refusing(vec![("spec.names".to_owned(), refused)]));
    }
    until_served(connection, definition).await?;
    let served = api.get(&definition.name).await.map_err(|error| request_error(&error, connection, attempt("get")))?;
    let refused = message_of(&served, "NonStructuralSchema", "True").map(|said| (String::new(), said));
    Ok(Judgement { refused: refused.into_iter().collect(), warnings })
}

/// Applies a CRD as [`Api::patch`] does, but also reads the warnings, which come in headers that [`Api::patch`] drops.
async fn patch(
    client: &Client,
    definition: &Definition,
    parameters: &PatchParams,
) -> kube::Result<(DynamicObject, Vec<String>)> {
    let request = Request::new(DynamicObject::url_path(&api_resource(), None));
    let request = request.patch(&definition.name, parameters, &Patch::Apply(&definition.object));
    let response = client.send(request.map_err(kube::Error::BuildRequest)?.map(Body::from)).await?;
    let (code, warnings) = (response.status(), warnings(&response));
    let body = response.into_body().collect_bytes().await?;
    if code.is_success() {
        let applied = serde_json::from_slice(&body).map_err(kube::Error::SerdeError)?;
        return Ok((applied, warnings));
    }
    let text = String::from_utf8_lossy(&body);
    let status = serde_json::from_slice::<Status>(&body);
    let status = status.unwrap_or_else(|_| Status::failure(&text, "").with_code(code.as_u16()));
    Err(kube::Error::Api(status.boxed()))
}

/// Returns the texts of `Warning: 299 - "text"` headers (RFC 7234, 5.5; Kubernetes documentation, "Warnings").
fn warnings<T>(response: &Response<T>) -> Vec<String> {
    let values = response.headers().get_all("warning").iter().filter_map(|value| value.to_str().ok());
    values.filter_map(|value| Some(decode_quoted_string(value.splitn(3, ' ').nth(2)?))).collect()
}

/// Decodes a quoted string of an HTTP header.
fn decode_quoted_string(text: &str) -> String {
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let mut escaped = false;
    let kept = text.chars().filter(|one| {
        escaped = *one == '\\' && !escaped;
        !escaped
    });
    kept.collect()
}

/// Returns the message of the condition `name` if the condition has the status `status`; otherwise `None`.
fn message_of(object: &DynamicObject, name: &str, status: &str) -> Option<String> {
    let found = condition(&object.data, name).filter(|condition| condition["status"] == status)?;
    Some(found["message"].as_str().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_read_from_their_headers() {
        let response = Response::builder()
            .header("Warning", r#"299 - "unrecognized format \"a\\b\"""#)
            .header("Warning", "299 kube-apiserver \"two\"")
            .header("Warning", "299")
            .body(())
            .unwrap();
        assert_eq!(warnings(&response), [r#"unrecognized format "a\b""#, "two"]);
    }
}
