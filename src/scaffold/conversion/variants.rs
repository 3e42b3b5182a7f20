//! Generates the `match` that converts an enum to another version, with an arm for each variant.

use super::super::layout::literal;
use super::impl_text::{INDENTATION, Impls};
use super::impls::Direction;
use super::version_types::{Field, Variant};
use syn::Type;

type Variants<'a> = &'a [(String, Variant)];

impl Direction<'_> {
    /// Adds the `From` impl of an enum that both versions define.
    pub(super) fn variants(
        &mut self,
        name: &str,
        names: (&str, &str),
        (from, to): (Variants<'_>, Variants<'_>),
        impls: &mut Impls,
    ) {
        let mut arms = String::new();
        for (variant, parts) in from {
            let other = to.iter().find(|(other, _)| other == variant).map(|(_, parts)| parts);
            let arm = match (parts, other) {
                (Variant::Unit, Some(Variant::Unit)) => Some(format!("{variant} => Self::{variant},")),
                (Variant::Tuple(from), Some(Variant::Tuple(to))) if from.len() == to.len() => {
                    self.tuple_arm(variant, from, to)
                }
                (Variant::Struct(from), Some(Variant::Struct(to))) => self.struct_arm(variant, from, to),
                _ => None,
            };
            let line = match arm {
                Some(arm) => format!("{INDENTATION}{}::{arm}\n", names.0),
                None => {
                    let said = format!("`{name}::{variant}` has no matching variant in {}", self.to.module);
                    format!("{}\n", impls.left_open(&said, "write how to convert it"))
                }
            };
            arms.push_str(&line);
        }
        impls.implementation(names, &format!("        match value {{\n{arms}        }}\n"));
    }

    fn tuple_arm(&mut self, variant: &str, from: &[Type], to: &[Type]) -> Option<String> {
        let names: Vec<String> = if from.len() == 1 {
            vec!["value".to_owned()]
        } else {
            (0..from.len()).map(|at| format!("part{at}")).collect()
        };
        let made = names.iter().zip(from.iter().zip(to)).map(|(base, (from, to))| self.convert(&[base], from, to));
        let made: Option<Vec<String>> = made.collect();
        Some(format!("{variant}({}) => Self::{variant}({}),", names.join(", "), made?.join(", ")))
    }

    fn struct_arm(&mut self, variant: &str, from: &[Field], to: &[Field]) -> Option<String> {
        if from.len() != to.len() {
            return None;
        }
        let made = to.iter().map(|field| {
            let source = from.iter().find(|source| source.name == field.name)?;
            let made = self.convert(&[&field.name], &source.of, &field.of)?;
            Some(if made == field.name { made } else { format!("{}: {made}", field.name) })
        });
        let made: Option<Vec<String>> = made.collect();
        let bound = from.iter().map(|field| field.name.as_str()).collect::<Vec<_>>().join(", ");
        let fields = literal(&made?, INDENTATION);
        Some(format!("{variant} {{ {bound} }} => Self::{variant} {fields},"))
    }
}
