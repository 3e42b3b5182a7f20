//! Parses version numbers in the output of programs.

/// Returns the first version in a text, such as `rustc 1.89.0 (…)` or `v1.36.1+k3s1`.
pub(super) fn version(text: &str) -> Option<(u32, u32, u32)> {
    text.split_whitespace().find_map(|word| {
        let word = word.trim_start_matches('v');
        let end = word.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(word.len());
        let mut parts = word[..end].split('.').map(str::parse);
        let (major, minor) = (parts.next()?.ok()?, parts.next()?.ok()?);
        Some((major, minor, parts.next().and_then(Result::ok).unwrap_or_default()))
    })
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn versions_are_found_in_what_programs_say() {
        assert_eq!(version("rustc 1.90.0-nightly (29483883e 2025-08-04)"), Some((1, 90, 0)));
        assert_eq!(version("v1.36.1+k3s1"), Some((1, 36, 1)));
        assert_eq!(version("1.89"), Some((1, 89, 0)));
        for text in ["", "no version", "7", "v1.x", "99999999999.1"] {
            assert_eq!(version(text), None, "{text}");
        }
    }
}
