//! Converts the URL of a repository from any form that git accepts to a form that a browser can open.

/// The reason why a text cannot be written in committed files as the URL of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefusedUrl {
    /// The text is not a URL.
    NoUrl,
    /// The text contains a user, a password or a token. Holds the URL without the secret.
    Secret(String),
}

/// Returns the URL of a repository. `text` is an `http` or `https` URL, a URL without `https://`, or a form that git
/// accepts for SSH.
///
/// # Errors
/// Fails for any other text, and for a URL that contains a secret.
pub fn repository_url(text: &str) -> Result<String, RefusedUrl> {
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => (scheme, rest),
        None => ("", text),
    };
    let over_ssh = matches!(scheme, "ssh" | "git+ssh" | "git");
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let (user, host) = authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
    // `git@github.com:acme/x.git`: the text after the colon is a path, not a port.
    let (host, path) = match host.split_once(':') {
        Some((host, first)) if scheme.is_empty() && user.is_some() => (host, format!("/{first}{path}")),
        Some((host, _)) if over_ssh => (host, path.to_owned()),
        _ => (host, path.to_owned()),
    };
    let of_git = over_ssh || scheme.is_empty() && user.is_some();
    let path = if of_git { path.trim_end_matches('/').trim_end_matches(".git") } else { path.as_str() };
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let shown = if matches!(scheme, "http" | "https") { scheme } else { "https" };
    let clean = format!("{shown}://{host}{path}");
    if (over_ssh || matches!(scheme, "" | "http" | "https")) && is_url(&clean, scheme) {
        let secret_user = user.is_some_and(|user| user.contains(':') || !of_git || user.len() > 32);
        let secret_query = ["token", "password", "secret", "key", "auth"].iter().any(|word| query.contains(word));
        return match () {
            () if secret_user || secret_query => Err(RefusedUrl::Secret(clean)),
            () if query.is_empty() => Ok(clean),
            () => Ok(format!("{clean}?{query}")),
        };
    }
    Err(RefusedUrl::NoUrl)
}

/// Returns true if the URL `text` can be written in TOML and in a Dockerfile. Quotes and backslashes would end strings
/// in TOML, and a Dockerfile expands `$`. `scheme` is the scheme that the user wrote. If `scheme` is empty, opctl has
/// added the scheme in `text`, and the URL must also have a dot in the host, and a path.
fn is_url(text: &str, scheme: &str) -> bool {
    let host = text.split("://").nth(1).and_then(|rest| rest.split(['/', ':']).next()).unwrap_or_default();
    let path = text.split("://").nth(1).and_then(|rest| rest.split_once('/')).is_some_and(|(_, path)| !path.is_empty());
    text.parse::<http::Uri>().is_ok()
        && !host.is_empty()
        && (!scheme.is_empty() || host.contains('.') && path)
        && text.len() <= 500
        && !text.contains(['"', '\\', '\'', ' ', '$', '`', '@'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_it_gives_the_url() {
        for given in [
            "https://github.com/acme/x",
            "github.com/acme/x",
            "git@github.com:acme/x.git",
            "git@github.com:acme/x",
            "ssh://git@github.com/acme/x.git",
            "ssh://git@github.com:22/acme/x.git/",
            "git+ssh://git@github.com/acme/x",
            "git://github.com/acme/x.git",
        ] {
            assert_eq!(repository_url(given).as_deref(), Ok("https://github.com/acme/x"), "{given}");
        }
        for kept in [
            "http://git.example.com:8080/acme/x.git",
            "https://example.com/x?path=a",
            "https://localhost/x",
            "https://github.com/acme/x.git",
        ] {
            assert_eq!(repository_url(kept).as_deref(), Ok(kept));
        }
    }

    #[test]
    fn a_secret_is_refused() {
        for given in [
            "https://user:hunter2@github.com/acme/x",
            "https://ghp_hunter2@github.com/acme/x",
            "ssh://git:hunter2@github.com/acme/x.git",
            "git:hunter2@github.com:acme/x.git",
            "https://github.com/acme/x?access_token=hunter2",
        ] {
            assert_eq!(
                repository_url(given),
                Err(RefusedUrl::Secret("https://github.com/acme/x".to_owned())),
                "{given}"
            );
        }
    }

    #[test]
    fn invalid_repository_urls_are_refused() {
        for given in
            ["", "x", "acme/x", "github.com", "ftp://github.com/acme/x", "https://", "https:///x", "a b.c/d", "a.b/'"]
        {
            assert_eq!(repository_url(given), Err(RefusedUrl::NoUrl), "{given}");
        }
    }
}
