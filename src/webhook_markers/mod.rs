//! Makes webhook configurations from `// +opctl:webhook:…` and `// +opctl:webhookconfiguration:…` markers, as
//! controller-gen does (controller-tools `pkg/webhook/parser.go`), and finds the kinds that the code converts.

mod argument_values;
mod configuration;
mod configurations;
mod converted;
mod lints;
mod marker;
mod patch;
mod path;
mod placed;
mod served;
mod webhook_rules;

pub(crate) use configurations::configurations;
pub(crate) use converted::{Converted, conversion_command, converted_kinds};
pub(crate) use lints::LINTS;

#[cfg(test)]
mod tests;
