//! The address of a repository in a registry.

use crate::host::is_this_machine;
use crate::model::{reference_parts, whole_reference};

/// A repository in a registry, and the tag or the digest of an image in the repository.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Address {
    /// The name of the registry in image references, under which credentials are stored.
    pub(super) registry: String,
    /// The path of the repository in the registry.
    pub(super) path: String,
    /// The tag or the digest of the image.
    pub(super) name: String,
}

impl Address {
    pub(super) fn of(reference: &str) -> Self {
        let whole = whole_reference(reference);
        let (repository, tag, digest) = reference_parts(&whole);
        let (registry, path) = repository.split_once('/').unwrap_or((repository, ""));
        let name = digest.or(tag).unwrap_or("latest");
        Address { registry: registry.to_owned(), path: path.to_owned(), name: name.to_owned() }
    }

    /// Returns the prefix of all URLs of the repository. The scheme is http only for a registry on this machine.
    pub(super) fn url(&self) -> String {
        let host = match self.registry.as_str() {
            "docker.io" => "registry-1.docker.io",
            other => other,
        };
        let scheme = if is_this_machine(host) { "http" } else { "https" };
        format!("{scheme}://{host}/v2/{}", self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn a_reference_leads_to_a_repository() {
        for (reference, url, name) in [
            ("web", "https://registry-1.docker.io/v2/library/web", "latest"),
            ("team/web:1", "https://registry-1.docker.io/v2/team/web", "1"),
            ("ghcr.io/a/b:v1", "https://ghcr.io/v2/a/b", "v1"),
            ("localhost:5000/web:1", "http://localhost:5000/v2/web", "1"),
            ("127.0.0.1:5000/web:1", "http://127.0.0.1:5000/v2/web", "1"),
            ("[::1]:5000/web:1", "http://[::1]:5000/v2/web", "1"),
            ("127.0.0.1.example.com/web:1", "https://127.0.0.1.example.com/v2/web", "1"),
            ("localhost.example.com:5000/web:1", "https://localhost.example.com:5000/v2/web", "1"),
        ] {
            let address = Address::of(reference);
            assert_eq!((address.url().as_str(), address.name.as_str()), (url, name), "{reference}");
        }
    }
}
