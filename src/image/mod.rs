//! Builds images of programs that are compiled on this machine, by the OCI image specification
//! (<https://github.com/opencontainers/image-spec>). No container engine is needed: a static program needs no base
//! image, and the base image of a dynamically linked program is read from a folder.

mod archive;
mod base;
mod bill_of_materials;
mod blob;
mod image;
mod layer;
mod platform;
mod program;
mod registry;
#[cfg(test)]
mod tests;

pub use archive::archive;
pub use base::Base;
pub use bill_of_materials::bill_of_materials;
pub use image::{Contents, Image};
pub use layer::{File, tar};
pub use platform::Platform;
pub use program::read_program;
pub use registry::push;
