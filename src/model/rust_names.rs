//! Rust names made from Kubernetes names.

use super::reserved::{is_crate, is_keyword};
use heck::{ToSnakeCase, ToUpperCamelCase};

/// Returns the name of the Rust module for a kind or a group, in snake case. Appends `_` to a reserved name, and puts
/// `_` before a leading digit.
pub fn module_name(name: &str) -> String {
    let snake = name.replace(['.', '-'], "_").to_snake_case();
    let taken = is_keyword(&snake) || is_crate(&snake);
    let digit = snake.starts_with(|first: char| first.is_ascii_digit());
    match (taken, digit) {
        (true, _) => format!("{snake}_"),
        (_, true) => format!("_{snake}"),
        _ => snake,
    }
}

/// Returns the name of the Rust variant for a word of an enumeration.
pub fn variant_name(word: &str) -> String {
    match word.replace('.', "_").to_upper_camel_case() {
        name if name == "Self" => "Itself".to_owned(),
        name => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_what_a_rust_user_expects() {
        for (name, module) in [
            ("WebServer", "web_server"),
            ("HTTPRoute", "http_route"),
            ("DNSZone", "dns_zone"),
            ("Redis", "redis"),
            ("Type", "type_"),
            ("Kube", "kube_"),
            ("core", "core_"),
            ("bin", "bin_"),
            ("lib", "lib_"),
            ("apps", "apps"),
            ("foo-bar.baz", "foo_bar_baz"),
            ("3scale", "_3scale"),
        ] {
            assert_eq!(module_name(name), module, "{name}");
        }
    }
}
