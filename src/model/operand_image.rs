//! The container image that the pods of a kind run.

use super::check_image;
use super::names::invalid;
use crate::Result;

/// The default port of containers. The port is above 1023, so that listening needs no privileges.
pub const DEFAULT_PORT: u16 = 8080;

/// An image and the port on which its container listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    reference: String,
    port: u16,
}

impl Image {
    /// Checks the image reference with [`check_image`], and checks the port.
    ///
    /// # Errors
    /// Fails if `reference` is not a valid image reference, or if the port is 0.
    pub fn parse(reference: &str, port: u16) -> Result<Self> {
        check_image(reference)?;
        if port == 0 {
            return Err(invalid("port", "0", "it must be 1 to 65535", Some(DEFAULT_PORT.to_string())).into());
        }
        Ok(Image { reference: reference.to_owned(), port })
    }

    /// Returns the image reference, such as `registry.example.com/web/server:1.2`.
    pub fn reference(&self) -> &str {
        &self.reference
    }

    /// Returns the port, which is never 0.
    pub fn port(&self) -> u16 {
        self.port
    }
}
