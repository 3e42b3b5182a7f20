//! The name rules of the Kubernetes API, as in
//! <https://kubernetes.io/docs/concepts/overview/working-with-objects/names/>.

/// Returns true if `text` is an RFC 1123 label of any length.
pub fn is_label_text(text: &str) -> bool {
    let edge = |character: char| character.is_ascii_lowercase() || character.is_ascii_digit();
    text.starts_with(edge) && text.ends_with(edge) && text.chars().all(|character| edge(character) || character == '-')
}

/// Returns the rule of RFC 1123 labels that `text` breaks, if any.
pub fn label_rule(text: &str) -> Option<String> {
    if text.len() > 63 {
        return Some(format!("at most 63 characters are allowed, but it has {}", text.chars().count()));
    }
    (!is_label_text(text)).then(|| {
        "it must consist of lower-case letters, digits and `-`, and begin and end with a letter or digit".to_owned()
    })
}

/// Returns the rule of RFC 1035 labels that `text` breaks, if any. An RFC 1035 label begins with a letter.
pub fn label_1035_rule(text: &str) -> Option<String> {
    label_rule(text).or_else(|| {
        text.starts_with(|character: char| character.is_ascii_digit()).then(|| "it must begin with a letter".to_owned())
    })
}

/// Returns the CEL rule that requires an object's name to be an RFC 1035 label of at most `longest` characters.
pub fn name_rule(longest: usize) -> String {
    format!("self.metadata.name.matches('^[a-z]([-a-z0-9]{{0,{}}}[a-z0-9])?$')", longest.saturating_sub(2))
}

/// Returns the rule of object names that `text` breaks, if any. An object's name is an RFC 1123 subdomain of at most
/// 253 characters; the length of the parts between the dots is not limited (apimachinery `pkg/util/validation`,
/// `IsDNS1123Subdomain`).
pub fn object_name_rule(text: &str) -> Option<String> {
    if text.len() > 253 {
        return Some(format!("at most 253 characters are allowed, but it has {}", text.chars().count()));
    }
    (!text.split('.').all(is_label_text)).then(|| SUBDOMAIN.to_owned())
}

/// Returns the rule of RFC 1123 subdomains that `text` breaks, if any. Each part must be a DNS label.
pub fn subdomain_rule(text: &str) -> Option<String> {
    let is_long = text.split('.').any(|part| part.len() > 63);
    object_name_rule(text).or_else(|| is_long.then(|| SUBDOMAIN.to_owned()))
}

const SUBDOMAIN: &str = "it must be lower-case letters, digits and `-` in parts joined by `.`, each part beginning and ending \
                         with a letter or digit (a DNS subdomain)";

/// Returns the valid label nearest to `text`: letters in lower case, each run of other characters replaced by one `-`,
/// and at most `limit` characters.
pub fn nearest_label(text: &str, limit: usize) -> Option<String> {
    let mut label = String::new();
    for character in text.chars() {
        if character.is_ascii_alphanumeric() {
            label.push(character.to_ascii_lowercase());
        } else if !label.is_empty() && !label.ends_with('-') {
            label.push('-');
        }
    }
    label.truncate(limit);
    let label = label.trim_matches('-');
    (!label.is_empty()).then(|| label.to_owned())
}

/// Returns the valid subdomain nearest to `text`: each part becomes a label, empty parts are left out, and the result
/// has at most `limit` characters.
pub(super) fn nearest_subdomain(text: &str, limit: usize) -> Option<String> {
    // For a pasted URL, only the host counts.
    let host = text.rsplit("://").next().unwrap_or(text).split(['/', ':']).next().unwrap_or(text);
    let parts: Vec<String> = host.split('.').filter_map(|part| nearest_label(part, 63)).collect();
    let mut domain = String::new();
    for part in &parts {
        if domain.len() + 1 + part.len() > limit {
            break;
        }
        if !domain.is_empty() {
            domain.push('.');
        }
        domain.push_str(part);
    }
    (!domain.is_empty()).then_some(domain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_subdomains_follow_the_rfcs() {
        for good in ["a", "a-b", "0a", "a0", &"a".repeat(63)] {
            assert_eq!(label_rule(good), None, "{good}");
        }
        for bad in ["", "-a", "a-", "A", "a_b", "a.b", "ä", &"a".repeat(64)] {
            assert!(label_rule(bad).is_some(), "{bad}");
        }
        assert!(label_1035_rule("0a").is_some());
        for good in ["example.com", "a", "a.b-c.d1", "1.2"] {
            assert_eq!(subdomain_rule(good), None, "{good}");
        }
        for bad in ["", ".", "a.", ".a", "a..b", "Example.com", "a_b.c", "a-.b", &"a.".repeat(127), &"a".repeat(64)] {
            assert!(subdomain_rule(bad).is_some(), "{bad}");
        }
        let long = "a".repeat(64);
        assert!(object_name_rule(&long).is_none() && object_name_rule(&long.repeat(4)).is_some());
        assert!(object_name_rule("a..b").is_some() && object_name_rule("").is_some());
    }

    #[test]
    fn suggested_labels_and_subdomains_are_valid() {
        for text in ["My_Op", "--x--", "Ünïcode op", "a.b", "0", "x".repeat(90).as_str(), "foo bar/baz"] {
            let label = nearest_label(text, 63).expect("something is left");
            assert_eq!(label_rule(&label), None, "{text} -> {label}");
        }
        assert_eq!(nearest_label("日本語", 63), None);
        assert_eq!(nearest_subdomain("https://Example.com/path", 99).as_deref(), Some("example.com"));
        assert_eq!(nearest_subdomain("my_company..com", 99).as_deref(), Some("my-company.com"));
    }
}
