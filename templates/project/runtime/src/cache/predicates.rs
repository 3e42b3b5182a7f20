//! Predicates that decide which changes of objects trigger a reconciliation.

/// A predicate for the creation or deletion of an object, which is given as JSON.
pub type OfOne = Box<dyn Fn(&str) -> bool + Send + Sync>;
/// A predicate for the change of an object, which is given as JSON before and after.
pub type OfTwo = Box<dyn Fn(&str, &str) -> bool + Send + Sync>;

/// The functions that decide which changes trigger a pass. They get the object as JSON. Without a
/// function for a kind of change (`None`), every change of this kind triggers a pass.
#[derive(Default)]
pub struct Predicates {
    pub create: Option<OfOne>,
    pub update: Option<OfTwo>,
    pub delete: Option<OfOne>,
}
