//! The changes that trigger passes.

/// Returns true if a new or a deleted object matters.
pub type OfOne = Box<dyn Fn(&str) -> bool + Send + Sync>;
/// Returns true if the change of an object matters.
pub type OfTwo = Box<dyn Fn(&str, &str) -> bool + Send + Sync>;

/// The functions that decide which changes trigger a pass, given the object before or after the change
/// as JSON. Without a function, every change of its sort triggers one.
#[derive(Default)]
pub struct Predicates {
    pub create: Option<OfOne>,
    pub update: Option<OfTwo>,
    pub delete: Option<OfOne>,
}
