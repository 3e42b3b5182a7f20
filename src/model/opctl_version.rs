//! Versions of opctl, compared as semantic versioning orders them.

/// Returns true if `version` is newer than `other`.
pub fn is_newer(version: &str, other: &str) -> bool {
    order(version) > order(other)
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Identifier<'a> {
    Number(u64),
    Text(&'a str),
}

/// Returns the sort key of a version: its numbers, true if the version is a release, and the pre-release identifiers.
fn order(version: &str) -> (Vec<u64>, bool, Vec<Identifier<'_>>) {
    let version = version.split('+').next().unwrap_or_default();
    let (numbers, before) =
        version.split_once('-').map_or((version, None), |(numbers, before)| (numbers, Some(before)));
    let identifier = |text| str::parse(text).map_or(Identifier::Text(text), Identifier::Number);
    let numbers = numbers.split('.').map(|number| number.parse().unwrap_or_default()).collect();
    (numbers, before.is_none(), before.into_iter().flat_map(|before| before.split('.')).map(identifier).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_have_an_order() {
        let versions = ["", "0.1.0-alpha.2", "0.1.0-alpha.10", "0.1.0-rc.1", "0.1.0", "0.9.0", "0.10.0", "1.0.0"];
        for (index, older) in versions.iter().enumerate() {
            for (other, newer) in versions.iter().enumerate() {
                assert_eq!(is_newer(newer, older), other > index, "{newer} {older}");
            }
        }
        assert!(!is_newer("0.1.0+linux", "0.1.0") && !is_newer("0.1.0", "0.1.0+linux"));
    }
}
