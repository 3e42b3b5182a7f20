//! References of container images: <https://github.com/distribution/reference>.

use super::shorten_input;
use crate::{Error, Result};

/// The placeholder for the manager's image in `config/manager/manager.yaml`; kustomize or opctl replaces it.
pub const IMAGE_PLACEHOLDER: &str = "controller";

const LONGEST_REPOSITORY: usize = 255;
const LONGEST_TAG: usize = 128;

/// The digest algorithms that registries and nodes support, each with the number of hexadecimal digits of a digest.
const DIGESTS: &[(&str, usize)] = &[("sha256", 64), ("sha384", 96), ("sha512", 128)];

/// Splits an image reference into the repository, the tag and the digest.
pub fn reference_parts(reference: &str) -> (&str, Option<&str>, Option<&str>) {
    let (name, digest) = reference.split_once('@').map_or((reference, None), |(name, digest)| (name, Some(digest)));
    match name.rsplit_once(':') {
        // The text after the last colon of `localhost:5000/image` is not a tag.
        Some((repository, tag)) if !tag.contains('/') => (repository, Some(tag), digest),
        _ => (name, None, digest),
    }
}

/// Returns `reference` as container tools complete it: with a registry, and with a tag or a digest.
pub fn whole_reference(reference: &str) -> String {
    let (repository, tag, digest) = reference_parts(reference);
    let is_registry = |host: &str| host == "localhost" || host.contains(['.', ':']);
    let before = match repository.split_once('/') {
        Some((host, _)) if is_registry(host) => "",
        Some(_) => "docker.io/",
        None => "docker.io/library/",
    };
    let after = if tag.is_none() && digest.is_none() { ":latest" } else { "" };
    format!("{before}{reference}{after}")
}

/// Returns true if the repository of `image` is [`IMAGE_PLACEHOLDER`], which means that the user has not chosen an
/// image for the manager.
pub fn is_placeholder(image: &str) -> bool {
    reference_parts(image).0 == IMAGE_PLACEHOLDER
}

/// Checks that `image` has the form of a reference, `[host[:port]/]path[:tag][@digest]`; does not check that the image
/// exists.
///
/// # Errors
/// Fails if `image` is not a valid reference.
pub fn check_image(image: &str) -> Result<()> {
    let (repository, tag, digest) = reference_parts(image);
    let (host, path) = repository.split_once('/').map_or((None, repository), |(host, path)| (Some(host), path));
    if repository.len() <= LONGEST_REPOSITORY
        && host.is_none_or(|host| is_component(host) || is_host(host))
        && path.split('/').all(is_component)
        && tag.is_none_or(is_tag)
        && digest.is_none_or(is_digest)
    {
        return Ok(());
    }
    Err(Error::usage(format!("`{}` is not a valid image reference", shorten_input(image)))
        .caused_by("an image reference is a lower-case repository, optionally followed by a tag or a digest")
        .hint("--image registry.example.com/my-operator:0.1.0"))
}

/// Returns true if `part` is a valid part of a path: words of lower-case letters and digits, separated by `.`, `_`,
/// `__` or any number of `-`.
fn is_component(part: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    part.starts_with(is_letter)
        && part.ends_with(is_letter)
        && part.split(is_letter).all(|between| {
            matches!(between, "" | "." | "_" | "__") || between.chars().all(|character| character == '-')
        })
}

/// Returns true if `host`, the text before the first `/` of an image reference, is the host of a registry: the text
/// contains a dot, ends with a port, or is an IPv6 address in brackets. Returns false for `localhost` without a port,
/// although container tools treat `localhost` as a host. Container tools treat any other text before the first `/` as
/// the beginning of the path.
fn is_host(host: &str) -> bool {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
        _ => (host, None),
    };
    let is_label = |label: &str| {
        let is_inner = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        !label.is_empty() && label.chars().all(is_inner) && !label.starts_with('-') && !label.ends_with('-')
    };
    let is_address = |address: &str| address.chars().all(|digit| digit.is_ascii_hexdigit() || digit == ':');
    let is_name = match name.strip_prefix('[').and_then(|address| address.strip_suffix(']')) {
        Some(address) => !address.is_empty() && is_address(address),
        None => (name.contains('.') || port.is_some()) && name.split('.').all(is_label),
    };
    is_name && port.is_none_or(|port| !port.is_empty() && port.chars().all(|digit| digit.is_ascii_digit()))
}

fn is_tag(tag: &str) -> bool {
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    tag.len() <= LONGEST_TAG
        && tag.starts_with(is_word)
        && tag.chars().all(|character| is_word(character) || matches!(character, '.' | '-'))
}

fn is_digest(digest: &str) -> bool {
    let is_digit = |digit: char| matches!(digit, '0'..='9' | 'a'..='f');
    digest
        .split_once(':')
        .is_some_and(|(algorithm, hex)| DIGESTS.contains(&(algorithm, hex.len())) && hex.chars().all(is_digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_judged_as_registries_judge_them() {
        let (sha256, sha512) = ("sha256:".to_owned() + &"0a".repeat(32), "sha512:".to_owned() + &"0a".repeat(64));
        let longest = "a".repeat(255);
        let good = "a nginx:1.27 a/b:1 a:Tag_1.x-Y a:_ localhost/a localhost:5000/a Registry:5000/a/b:v1.2 \
            REGISTRY.example.com/a/b 127.0.0.1:5000/a [::1]/a [2001:db8::1]:5000/a:1 ghcr.io/x/y__z.a r.example.com/a---b/c_d";
        let long = [
            format!("a@{sha256}"),
            format!("localhost:5000/a/b_c:v1@{sha256}"),
            format!("a@{sha512}"),
            format!("{longest}:{}", "t".repeat(128)),
        ];
        for good in good.split(' ').chain(long.iter().map(String::as_str)) {
            assert!(check_image(good).is_ok(), "{good}");
        }
        let bad = "A A/b a: a/ /a a//b nginx//Foo::: -a a- a..b a___b a._b a:b:c a:.b a:-b a:\u{e9} $(x) ${IMAGE} \" \
            r..example.com:5000/a -r.example.com/a r.example.com:port/a r.example.com:/a []/a [::1/a \
            https://r.example.com/a a@ a@sha256 a@sha256:12 a@md5:00000000000000000000000000000000";
        let long = [
            format!("a@{}", sha256.to_uppercase()),
            format!("a@{sha256}@{sha256}"),
            format!("a:@{sha256}"),
            format!("a{longest}"),
            format!("a:{}", "t".repeat(129)),
        ];
        for bad in bad.split(' ').chain(["", "a b", "a:b c", "a\n"]).chain(long.iter().map(String::as_str)) {
            assert!(check_image(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_tag_is_not_the_port() {
        for (image, expected) in [
            ("a", ("a", None, None)),
            ("a:1", ("a", Some("1"), None)),
            ("h:5/a", ("h:5/a", None, None)),
            ("h:5/a:1", ("h:5/a", Some("1"), None)),
            ("a:1@sha256:0", ("a", Some("1"), Some("sha256:0"))),
        ] {
            assert_eq!(reference_parts(image), expected, "{image}");
        }
    }

    #[test]
    fn a_whole_reference_has_a_registry_and_a_tag() {
        for (image, expected) in [
            ("web", "docker.io/library/web:latest"),
            ("web:1", "docker.io/library/web:1"),
            ("team/web:1", "docker.io/team/web:1"),
            ("localhost/web", "localhost/web:latest"),
            ("localhost:5000/web:1", "localhost:5000/web:1"),
            ("ghcr.io/a/b@sha256:00", "ghcr.io/a/b@sha256:00"),
        ] {
            assert_eq!(whole_reference(image), expected);
        }
    }
}
