//! The error type of opctl: a message, its causes, and a hint.
//!
//! Every error that a user can see is built where it is detected, with the thing it is about in backticks and a
//! [hint](Error::hint) that can be run or pasted. Rendering is [`crate::report`]'s alone.

mod category;
mod error;
mod file_error;
mod hint;
mod refused;
mod shell;

pub use category::Category;
pub use error::{Error, Result};
pub use file_error::file_error;
pub(crate) use hint::hint;
pub use hint::{Hint, InHint};
pub use refused::Refused;
pub use shell::shell_word;
