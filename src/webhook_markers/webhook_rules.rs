//! Checks webhooks by the API server's rules (`pkg/apis/admissionregistration/validation/validation.go`,
//! `k8s.io/apiserver` `pkg/util/webhook/validation.go`).

use super::argument_values::choice;
use super::configuration::Webhook;
use super::patch;
use crate::model::object_name_rule;
use crate::source::markers::{Argument, MarkerError};

/// Checks the arguments of a webhook marker, each alone and in combination.
pub(super) fn webhook(webhook: &Webhook, arguments: &[Argument], marker_column: usize) -> Result<(), MarkerError> {
    let given = |key: &str| arguments.iter().find(|argument| argument.key == key);
    match (&webhook.path, &webhook.url) {
        (None, None) => {
            let hint =
                "add for example `path=/validate-apps-example-com-v1-webserver`, which the webhook's service serves";
            let message = "the marker has neither `path` nor `url`".to_owned();
            return Err(MarkerError { column: marker_column, message, hint: hint.to_owned() });
        }
        (Some(_), Some(_)) => {
            let column = given("url").map_or(marker_column, |url| url.column);
            let message = "`path` and `url` exclude each other".to_owned();
            let hint = "keep `path` for a webhook in the cluster, `url` for one outside of it".to_owned();
            return Err(MarkerError { column, message, hint });
        }
        _ => {}
    }
    for argument in arguments {
        match argument.key.as_str() {
            "path" => path(argument, webhook.path.as_deref().unwrap_or_default())?,
            "url" => url(argument, webhook.url.as_deref().unwrap_or_default())?,
            "name" => {
                subdomain(argument, &webhook.name)?;
                if webhook.name.split('.').count() < 3 {
                    let message = format!("the name `{}` has fewer than three parts", webhook.name);
                    return Err(argument.wrong(message, format!("write for example `name={}.kb.io`", webhook.name)));
                }
            }
            "groups" | "versions" | "verbs" => alone(argument)?,
            "resources" => resources(argument, &webhook.resources)?,
            "admissionReviewVersions" => review_versions(argument, &webhook.admission_review_versions)?,
            "patch" => patch::check(argument, webhook)?,
            "reinvocationPolicy" if !webhook.mutating => {
                let message = "only a mutating webhook has a `reinvocationPolicy`";
                return Err(argument.wrong(message, "remove it, or write `mutating=true`"));
            }
            "serviceName" | "serviceNamespace" | "servicePort" if webhook.url.is_some() => {
                let message = format!("a webhook with `url` has no service, so no `{}`", argument.key);
                return Err(argument.wrong(message, format!("remove `{}`", argument.key)));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Reads `sideEffects`: `None` or `NoneOnDryRun`. Fails for `Some` and `Unknown`, which v1 allows only in old objects.
pub(super) fn side_effects(argument: &Argument) -> Result<String, MarkerError> {
    let value = argument.only_value()?;
    if ["some", "unknown"].contains(&value.to_lowercase().as_str()) {
        let message = format!("`sideEffects` is `{value}`, which `admissionregistration.k8s.io/v1` does not allow");
        let hint = "write `sideEffects=None`, or `sideEffects=NoneOnDryRun` if the webhook looks at `dryRun`";
        return Err(argument.wrong_value(value, message, hint.to_owned()));
    }
    choice(argument, value, &["None", "NoneOnDryRun"], "sideEffects")
}

/// Fails if `name` is not an RFC 1123 subdomain; accepts an empty name.
pub(super) fn subdomain(argument: &Argument, name: &str) -> Result<(), MarkerError> {
    match object_name_rule(name).filter(|_| !name.is_empty()) {
        Some(rule) => Err(argument.wrong_value(name, format!("`{name}` is no valid `{}`", argument.key), rule)),
        None => Ok(()),
    }
}

fn alone(argument: &Argument) -> Result<(), MarkerError> {
    let key = &argument.key;
    if argument.values.len() > 1 && argument.values.iter().any(|(value, _)| value == "*") {
        let message = format!("`{key}` lists other values in addition to `*`");
        return Err(argument.wrong_value("*", message, format!("write `{key}=*`, or leave `*` out")));
    }
    Ok(())
}

fn resources(argument: &Argument, resources: &[String]) -> Result<(), MarkerError> {
    let has = |wanted: &str| resources.iter().any(|resource| resource == wanted);
    for resource in resources {
        let covered = match resource.split_once('/') {
            Some(("*", "*")) => (resources.len() > 1).then_some("*/*".to_owned()),
            Some((of, sub)) => [format!("{of}/*"), format!("*/{sub}")]
                .into_iter()
                .find(|wildcard| wildcard != resource && of != "*" && sub != "*" && has(wildcard)),
            None => (resource != "*" && has("*")).then_some("*".to_owned()),
        };
        if let Some(wildcard) = covered {
            let message = format!("`{wildcard}` covers others of `resources`");
            return Err(argument.wrong_value(
                &wildcard,
                message,
                format!("remove the other values that `{wildcard}` covers"),
            ));
        }
    }
    Ok(())
}

fn review_versions(argument: &Argument, versions: &[String]) -> Result<(), MarkerError> {
    let wrong = |value: &str, message: String| {
        Err(argument.wrong_value(value, message, "write `admissionReviewVersions=v1`".to_owned()))
    };
    for (index, version) in versions.iter().enumerate() {
        if versions[..index].contains(version) {
            return wrong(version, format!("`admissionReviewVersions` names `{version}` twice"));
        }
        if version.contains('.')
            || object_name_rule(version).is_some()
            || version.starts_with(|one: char| one.is_ascii_digit())
        {
            return wrong(version, format!("`admissionReviewVersions` names `{version}`, which is not a version"));
        }
    }
    if !versions.iter().any(|version| ["v1", "v1beta1"].contains(&version.as_str())) {
        return wrong("", "`admissionReviewVersions` names no version that the API server knows".to_owned());
    }
    Ok(())
}

fn path(argument: &Argument, path: &str) -> Result<(), MarkerError> {
    let Some(rest) = path.strip_prefix('/') else {
        let message = format!("the path `{path}` does not begin with `/`");
        return Err(argument.wrong_value(path, message, format!("write `path=/{path}`")));
    };
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    if path != "/"
        && (rest.is_empty() || rest.split('/').any(|step| step.is_empty() || object_name_rule(step).is_some()))
    {
        let hint = "each part between slashes consists of lower-case letters, digits, `-` and `.`, and starts and \
             ends with a letter or a digit";
        return Err(argument.wrong_value(path, format!("the API server refuses the path `{path}`"), hint.to_owned()));
    }
    Ok(())
}

fn url(argument: &Argument, url: &str) -> Result<(), MarkerError> {
    let parsed: Option<http::Uri> = url.parse().ok();
    let host = parsed.as_ref().and_then(http::Uri::authority).filter(|authority| !authority.host().is_empty());
    let fault = match (&parsed, host) {
        (Some(parsed), Some(host)) => {
            if parsed.scheme_str() != Some("https") {
                Some("is not an https URL")
            } else if host.as_str().contains('@') {
                Some("holds a user")
            } else if url.contains(['?', '#']) {
                Some("contains a query or a fragment")
            } else {
                None
            }
        }
        _ => Some("is none"),
    };
    match fault {
        Some(fault) => {
            let hint = "write it as `url=\"https://host:port/path\"`".to_owned();
            Err(argument.wrong_value(url, format!("the URL `{url}` {fault}"), hint))
        }
        None => Ok(()),
    }
}
