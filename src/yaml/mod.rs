//! YAML: reads what others wrote, within limits, and writes it as controller-gen does.

pub(crate) mod characters;
mod order;
mod plain;
mod read;
mod scalar;
#[cfg(test)]
mod tests;
mod write;

pub use read::{cause, is_yaml, read, unreadable};
pub use write::{document, documents};
