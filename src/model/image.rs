//! The container image that the pods of a kind run.

use super::InvalidName;
use super::names::invalid;

/// The port on which containers listen by default; it is above 1023, so that it needs no privileges.
pub const DEFAULT_PORT: u16 = 8080;

/// The placeholder for the manager's image in `config/manager/manager.yaml`; kustomize or a command replaces it.
pub const IMAGE_PLACEHOLDER: &str = "controller";

/// Splits an image reference into the repository, the tag and the digest.
pub fn reference_parts(reference: &str) -> (&str, Option<&str>, Option<&str>) {
    let (name, digest) = reference.split_once('@').map_or((reference, None), |(name, digest)| (name, Some(digest)));
    match name.rsplit_once(':') {
        // The text after the last colon of `localhost:5000/image` is not a tag.
        Some((repository, tag)) if !tag.contains('/') => (repository, Some(tag), digest),
        _ => (name, None, digest),
    }
}

const LONGEST_REFERENCE: usize = 255;

/// An image and the port on which it listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    reference: String,
    port: u16,
}

impl Image {
    /// Checks the characters of the reference against <https://github.com/distribution/reference>; does not check that
    /// the image exists.
    ///
    /// # Errors
    /// Fails if the reference has other characters or is too long, or if the port is 0.
    pub fn parse(reference: &str, port: u16) -> Result<Self, InvalidName> {
        let fits = |character: char| character.is_ascii_alphanumeric() || "._-:/@+".contains(character);
        let example = || Some("nginxinc/nginx-unprivileged:1.27".to_owned());
        if !reference.starts_with(|first: char| first.is_ascii_alphanumeric()) || !reference.chars().all(fits) {
            let rule =
                "it must begin with a letter or digit, and consist of these and of `.`, `_`, `-`, `/`, `:`, `@`, `+`";
            return Err(invalid("image", reference, rule, example()));
        }
        if reference.len() > LONGEST_REFERENCE {
            return Err(invalid("image", reference, "at most 255 characters are allowed", example()));
        }
        if port == 0 {
            return Err(invalid("port", "0", "it must be 1 to 65535", Some(DEFAULT_PORT.to_string())));
        }
        Ok(Image { reference: reference.to_owned(), port })
    }

    /// Returns the image reference, such as `registry.example.com/web/server:1.2`.
    pub fn reference(&self) -> &str {
        &self.reference
    }

    /// Returns the port, which is never 0.
    pub fn port(&self) -> u16 {
        self.port
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_checked_by_their_characters() {
        for good in ["nginx", "nginx:1.27", "localhost:5000/a/b_c:v1@sha256:0123", "ghcr.io/x/y"] {
            assert!(Image::parse(good, 80).is_ok(), "{good}");
        }
        for bad in ["", "a b", "\"", "-nginx", "nginx\n", "${IMAGE}", &"a".repeat(256)] {
            assert!(Image::parse(bad, 80).is_err(), "{bad}");
        }
        assert!(Image::parse("nginx", 0).is_err());
    }
}
