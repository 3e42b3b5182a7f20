//! Edits the manager's image in the `images` of a kustomization.

const LIST: &str = "images:";
const OTHER_THAN_TEXT: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
const KEYS: [&str; 3] = ["newName:", "newTag:", "digest:"];

/// The repository, tag and digest of an image.
type Parts<'a> = (&'a str, Option<&'a str>, Option<&'a str>);

/// Edits a kustomization so that kustomize replaces the image `placeholder` with `image`. Returns `None` if the list
/// `images` is written in a form that opctl does not support.
pub fn set_image(text: &str, placeholder: &str, image: Parts<'_>) -> Option<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let entry = format!("- name: {placeholder}\n{}", keys(image));
    let Some(list) = lines.iter().position(|line| line.starts_with(LIST)) else {
        let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        return Some(format!("{text}{end}{LIST}\n{entry}"));
    };
    if code(lines[list]) != LIST {
        return None;
    }
    let Some((name, end)) = entry_of(&lines, list, placeholder) else {
        let (before, after) = lines.split_at(list + 1);
        return Some(before.concat() + &entry + &after.concat());
    };
    let indent = &lines[name][..lines[name].len() - lines[name].trim_start().len()];
    let is_other = |line: &&&str| !KEYS.iter().any(|key| line.trim_start().starts_with(key));
    let others: String = lines[name + 1..end].iter().filter(is_other).copied().collect();
    let keys = keys(image);
    let keys: String = keys.split_inclusive('\n').flat_map(|line| [indent, line]).collect();
    Some(lines[..=name].concat() + &keys + &others + &lines[end..].concat())
}

/// Returns the image with which kustomize replaces the image `placeholder`; `None` if kustomize does not replace it.
pub fn image(text: &str, placeholder: &str) -> Option<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let list = lines.iter().position(|line| code(line) == LIST)?;
    let (name, end) = entry_of(&lines, list, placeholder)?;
    let value = |key: &str| {
        let value = lines[name + 1..end].iter().find_map(|line| code(line).strip_prefix(key))?;
        Some(value.trim().trim_matches(['"', '\'']))
    };
    let [repository, tag, digest] = KEYS.map(value);
    let repository = repository.filter(|repository| *repository != placeholder)?;
    let part = |start: &str, part: Option<&str>| part.map(|part| format!("{start}{part}")).unwrap_or_default();
    Some(format!("{repository}{}{}", part(":", tag), part("@", digest)))
}

/// Returns the index of the line with the name `placeholder` in the list of images, and the index of the line after
/// that list entry. Returns `None` if the list has no such entry. `list` is the index of the line with the key of the
/// list.
fn entry_of(lines: &[&str], list: usize, placeholder: &str) -> Option<(usize, usize)> {
    let is_outside = |line: &&str| !line.trim().is_empty() && !line.starts_with([' ', '-', '#']);
    let end = lines[list + 1..].iter().position(is_outside).map_or(lines.len(), |at| list + 1 + at);
    let is_name = |line: &&str| code(line).strip_prefix("- name:").is_some_and(|name| name.trim() == placeholder);
    let name = list + 1 + lines[list + 1..end].iter().position(is_name)?;
    let is_next = |line: &&str| line.trim_start().starts_with(['-', '#']);
    Some((name, lines[name + 1..end].iter().position(is_next).map_or(end, |at| name + 1 + at)))
}

/// Returns `line` without its indentation and its comment.
fn code(line: &str) -> &str {
    line.split(" #").next().unwrap_or_default().trim()
}

fn keys((name, tag, digest): Parts<'_>) -> String {
    // Without a tag, kustomize would keep the placeholder's tag.
    let tag = tag.or(digest.is_none().then_some("latest"));
    // A tag such as `1.0` or `on` is not a string in YAML unless it is quoted.
    let is_plain = |value: &str| {
        value.starts_with(|first: char| first.is_ascii_alphabetic())
            && !OTHER_THAN_TEXT.contains(&value.to_ascii_lowercase().as_str())
    };
    let line = |key: &str, value: &str| {
        if is_plain(value) { format!("  {key} {value}\n") } else { format!("  {key} \"{value}\"\n") }
    };
    let values = KEYS.into_iter().zip([Some(name), tag, digest]);
    values.filter_map(|(key, value)| Some(line(key, value?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MADE: &str =
        "resources:\n- manager.yaml\n# Why.\nimages:\n- name: controller\n  newName: controller\n  newTag: latest\n";

    fn set(text: &str, image: &str) -> String {
        set_image(text, "controller", crate::model::reference_parts(image)).unwrap()
    }

    #[test]
    fn an_image_takes_the_place_of_the_one_before() {
        let start = "resources:\n- manager.yaml\n# Why.\nimages:\n- name: controller\n  newName: ";
        let digest = format!("sha256:{}", "0".repeat(64));
        assert_eq!(image(MADE, "controller"), None);
        for (chosen, expected) in [
            ("r.example.com/web:1.0", "r.example.com/web\n  newTag: \"1.0\"\n"),
            ("localhost:5000/web", "localhost:5000/web\n  newTag: latest\n"),
            (&format!("web@{digest}"), &format!("web\n  digest: {digest}\n")),
            (&format!("web:v1@{digest}"), &format!("web\n  newTag: v1\n  digest: {digest}\n")),
        ] {
            let text = set(MADE, chosen);
            assert_eq!(text, format!("{start}{expected}"));
            let whole = if chosen.ends_with("web") { format!("{chosen}:latest") } else { chosen.to_owned() };
            assert_eq!(image(&text, "controller"), Some(whole.clone()));
            assert_eq!(set(&set(&text, "other:2"), &whole), text, "another one, and this one again");
        }
    }

    #[test]
    fn other_images_and_lines_of_a_user_stay() {
        let text = "images:\n  # Mine.\n  - name: proxy\n    newTag: a\n  - name: controller # opctl\n    newTag: b\n\nlabels: []\n";
        let expected = "images:\n  # Mine.\n  - name: proxy\n    newTag: a\n  - name: controller # opctl\n    newName: web\n    newTag: v1\n\nlabels: []\n";
        assert_eq!(set(text, "web:v1"), expected);
        let none = "resources: [manager.yaml]";
        let added = "resources: [manager.yaml]\nimages:\n- name: controller\n  newName: web\n  newTag: v1\n";
        assert_eq!(set(none, "web:v1"), added);
        assert_eq!(
            set("images:\n- name: proxy\n", "a:b"),
            "images:\n- name: controller\n  newName: a\n  newTag: b\n- name: proxy\n"
        );
        assert_eq!(set_image("images: [{name: controller}]\n", "controller", ("web", Some("v1"), None)), None);
    }
}
