//! Pushes images to registries
//! (<https://github.com/opencontainers/distribution-spec/blob/main/spec.md#push>).

mod address;
mod answer;
mod credential;
mod push;
mod session;
#[cfg(test)]
mod tests;
mod token;

pub use push::push;
