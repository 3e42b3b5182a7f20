//! The credentials that `docker login` and `podman login` store.

use crate::reading::{self, Limit};
use docker_credential::{CredentialRetrievalError, get_credential_from_reader};
use std::path::PathBuf;

pub(super) use docker_credential::DockerCredential as Credential;

/// Returns the credential for a registry from the first file that contains it; `None` if no file contains it.
///
/// # Errors
/// Fails if a configured credential cannot be read. The error is the reason as text.
pub(super) fn credential(registry: &str) -> Result<Option<Credential>, String> {
    // Docker keeps the credential of Docker Hub under an address of the registry protocol's first version.
    let key = if registry == "docker.io" { "https://index.docker.io/v1/" } else { registry };
    for path in files() {
        let Ok(text) = reading::bytes(&path, Limit::Settings) else { continue };
        match get_credential_from_reader(text.as_slice(), key) {
            Ok(credential) => return Ok(Some(credential)),
            Err(CredentialRetrievalError::NoCredentialConfigured) => {}
            // What a credential helper prints may be a secret.
            Err(CredentialRetrievalError::HelperFailure { helper, .. }) => {
                return Err(format!("the credential helper `{helper}` that `{}` names has failed", path.display()));
            }
            Err(error) => return Err(format!("`{}`: {error}", path.display())),
        }
    }
    Ok(None)
}

/// Returns the paths of possible credential files, in the order of the search: the file that the variable
/// `REGISTRY_AUTH_FILE` of podman, buildah and skopeo names, then Docker's file, then podman's files
/// (containers-auth.json(5)).
fn files() -> Vec<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let docker = variable("DOCKER_CONFIG").or_else(|| variable("HOME").map(|home| home.join(".docker")));
    let of_session = variable("XDG_RUNTIME_DIR").map(|folder| folder.join("containers/auth.json"));
    let of_user = variable("HOME").map(|home| home.join(".config/containers/auth.json"));
    let docker = docker.map(|folder| folder.join("config.json"));
    [variable("REGISTRY_AUTH_FILE"), docker, of_session, of_user].into_iter().flatten().collect()
}
