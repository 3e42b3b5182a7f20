//! The changes that trigger passes.

/// Returns true if the creation or the deletion of an object, given as JSON, triggers a pass.
pub type OfOne = Box<dyn Fn(&str) -> bool + Send + Sync>;
/// Returns true if the change of an object, given as JSON before and after, triggers a pass.
pub type OfTwo = Box<dyn Fn(&str, &str) -> bool + Send + Sync>;

/// The functions that decide which changes trigger a pass, given the object before or after the
/// change as JSON. If a function is `None`, each such change triggers a pass.
#[derive(Default)]
pub struct Predicates {
    pub create: Option<OfOne>,
    pub update: Option<OfTwo>,
    pub delete: Option<OfOne>,
}
