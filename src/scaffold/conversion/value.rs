//! Expressions that convert a value of a Rust type to the type of another version.

use super::super::layout::{CHAIN_WIDTH, WIDTH};
use std::collections::BTreeSet;
use syn::{GenericArgument, PathArguments, PathSegment, Type};

/// A Rust expression: the path of a value, and the methods that the expression calls on the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    /// The names in the path of the value, such as `value` and `tls` for `value.tls`.
    base: Vec<String>,
    calls: Vec<String>,
    /// True if the expression is wrapped in `Some(..)`.
    optional: bool,
}

/// Returns the expression that converts the value at `base`; `None` if only the user can know how `from` becomes `to`.
/// `local` are the names of the types that both versions define, and `used` collects the names of the types that need a
/// conversion.
pub(super) fn value(
    base: &[&str],
    (from, to): (&Type, &Type),
    local: &BTreeSet<&str>,
    used: &mut BTreeSet<String>,
) -> Option<Value> {
    let base: Vec<String> = base.iter().map(|&name| name.to_owned()).collect();
    if from == to && !names(from).iter().any(|name| local.contains(name.as_str())) {
        return Some(Value { base, calls: Vec::new(), optional: false });
    }
    if let Some(calls) = calls(from, to, local, used) {
        return Some(Value { base, calls, optional: false });
    }
    let (wrapper, inner) = argument(to)?;
    if wrapper.ident != "Option" {
        return None;
    }
    let names: Vec<&str> = base.iter().map(String::as_str).collect();
    let value = value(&names, (from, inner), local, used)?;
    (!value.optional).then_some(Value { optional: true, ..value })
}

/// Returns the method calls that convert `from` to `to`: an empty list if the value needs no conversion, `None` if
/// opctl knows no conversion.
fn calls(from: &Type, to: &Type, local: &BTreeSet<&str>, used: &mut BTreeSet<String>) -> Option<Vec<String>> {
    if from == to && !names(from).iter().any(|name| local.contains(name.as_str())) {
        return Some(Vec::new());
    }
    let (one, other) = (last_segment(from)?, last_segment(to)?);
    if one.ident != other.ident {
        return None;
    }
    if one.arguments.is_none() && other.arguments.is_none() {
        let name = one.ident.to_string();
        let is_local = local.contains(name.as_str()) && is_single(from) && is_single(to);
        return is_local.then(|| {
            used.insert(name);
            vec!["into()".to_owned()]
        });
    }
    let ([keys @ .., from], [other_keys @ .., to]) = (&arguments(one)[..], &arguments(other)[..]) else { return None };
    if keys != other_keys {
        return None;
    }
    let inner = calls(from, to, local, used)?;
    let each = |bound: &str, result: &str| {
        let chain = format!("value.{}", inner.join("."));
        format!("map(|{bound}| {})", result.replace("value", &chain))
    };
    let is_into = inner == ["into()"];
    match (one.ident.to_string().as_str(), keys.len()) {
        ("Option", 0) if is_into => Some(vec!["map(Into::into)".to_owned()]),
        ("Option", 0) => Some(vec![each("value", "value")]),
        ("Vec", 0) if is_into => Some(["into_iter()", "map(Into::into)", "collect()"].map(str::to_owned).into()),
        ("Vec", 0) => Some(vec!["into_iter()".to_owned(), each("value", "value"), "collect()".to_owned()]),
        ("BTreeMap" | "HashMap", 1) => {
            let each = each("(key, value)", "(key, value)");
            Some(vec!["into_iter()".to_owned(), each, "collect()".to_owned()])
        }
        _ => None,
    }
}

fn last_segment(of: &Type) -> Option<&PathSegment> {
    match of {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last(),
        _ => None,
    }
}

fn is_single(of: &Type) -> bool {
    matches!(of, Type::Path(path) if path.path.segments.len() == 1)
}

fn arguments(segment: &PathSegment) -> Vec<&Type> {
    let PathArguments::AngleBracketed(bracketed) = &segment.arguments else { return Vec::new() };
    let types = bracketed.args.iter().map(|argument| match argument {
        GenericArgument::Type(of) => Some(of),
        _ => None,
    });
    types.collect::<Option<Vec<_>>>().unwrap_or_default()
}

fn argument(of: &Type) -> Option<(&PathSegment, &Type)> {
    let segment = last_segment(of)?;
    match arguments(segment)[..] {
        [only] => Some((segment, only)),
        _ => None,
    }
}

/// Returns the names in a type that have no module path, such as `Vec` and `A` in `Vec<A>`.
fn names(of: &Type) -> Vec<String> {
    let mut found = Vec::new();
    collect(of, &mut found);
    found
}

fn collect(of: &Type, found: &mut Vec<String>) {
    struct Names<'a>(&'a mut Vec<String>);
    impl<'ast> syn::visit::Visit<'ast> for Names<'_> {
        fn visit_path(&mut self, path: &'ast syn::Path) {
            if let [only] = path.segments.iter().collect::<Vec<_>>()[..] {
                self.0.push(only.ident.to_string());
            }
            syn::visit::visit_path(self, path);
        }
    }
    syn::visit::Visit::visit_type(&mut Names(found), of);
}

impl Value {
    /// Returns the expression on one line.
    pub(super) fn line(&self) -> String {
        let chain = self.base.iter().chain(&self.calls).map(String::as_str).collect::<Vec<_>>().join(".");
        if self.optional { format!("Some({chain})") } else { chain }
    }

    /// Returns `name: expression,`, laid out as by rustfmt at the given indentation.
    pub(super) fn field(&self, name: &str, indentation: &str) -> String {
        let line = self.line();
        let whole = format!("{indentation}{name}: {line},");
        let is_short = self.calls.is_empty() || line.len() <= CHAIN_WIDTH;
        if whole.len() <= WIDTH && is_short {
            return whole;
        }
        let (first, rest) = self.base.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
        let inner = format!("{indentation}    ");
        let links = |indentation: &str| -> String {
            rest.iter().chain(&self.calls).fold(String::new(), |links, link| format!("{links}\n{indentation}.{link}"))
        };
        if self.optional {
            let deeper = format!("{inner}    ");
            return format!("{indentation}{name}: Some(\n{inner}{first}{}\n{indentation}),", links(&deeper));
        }
        format!("{indentation}{name}: {first}{},", links(&inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_that_are_alike_become_each_other() {
        for (from, to, expected, used) in [
            ("i32", "i32", Some("value.a"), ""),
            ("Vec<String>", "Vec<String>", Some("value.a"), ""),
            ("i32", "Option<i32>", Some("Some(value.a)"), ""),
            ("Tls", "Tls", Some("value.a.into()"), "Tls"),
            ("Tls", "Option<Tls>", Some("Some(value.a.into())"), "Tls"),
            ("Option<Tls>", "Option<Tls>", Some("value.a.map(Into::into)"), "Tls"),
            ("Vec<Tls>", "Vec<Tls>", Some("value.a.into_iter().map(Into::into).collect()"), "Tls"),
            (
                "Option<Vec<Tls>>",
                "Option<Vec<Tls>>",
                Some("value.a.map(|value| value.into_iter().map(Into::into).collect())"),
                "Tls",
            ),
            (
                "BTreeMap<String, Tls>",
                "BTreeMap<String, Tls>",
                Some("value.a.into_iter().map(|(key, value)| (key, value.into())).collect()"),
                "Tls",
            ),
            ("i32", "i64", None, ""),
            ("Option<i32>", "i32", None, ""),
            ("Vec<i32>", "Vec<String>", None, ""),
            ("other::Tls", "other::Tls", Some("value.a"), ""),
            ("Own", "Other", None, ""),
        ] {
            let (one, other) = (syn::parse_str(from).unwrap(), syn::parse_str(to).unwrap());
            let (local, mut found) = (BTreeSet::from(["Tls", "Own", "Other"]), BTreeSet::new());
            let made = value(&["value", "a"], (&one, &other), &local, &mut found).map(|value| value.line());
            assert_eq!(made.as_deref(), expected, "{from} to {to}");
            assert_eq!(found.into_iter().collect::<Vec<_>>().join(" "), used, "{from} to {to}");
        }
    }

    #[test]
    fn long_expressions_are_broken_as_rustfmt_does() {
        let of = syn::parse_str("Vec<Tls>").unwrap();
        let (local, mut used) = (BTreeSet::from(["Tls"]), BTreeSet::new());
        let name = "certificates_of_the_server";
        let made = value(&["value", name], (&of, &of), &local, &mut used).unwrap();
        let expected =
            format!("  {name}: value\n      .{name}\n      .into_iter()\n      .map(Into::into)\n      .collect(),");
        assert_eq!(made.field(name, "  "), expected);
    }
}
