pub mod parts;
pub mod shop;
pub mod v1;
pub mod v1alpha1;
