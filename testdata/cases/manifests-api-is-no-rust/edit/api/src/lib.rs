pub mod {
