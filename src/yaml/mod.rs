//! Reads untrusted YAML, with limits on its size, and writes YAML in the format of controller-gen.

pub(crate) mod characters;
mod order;
mod plain;
mod read;
mod scalar;
#[cfg(test)]
mod tests;
mod write;

pub use read::{cause, is_yaml, read, unreadable_error};
pub use write::{document, documents};
