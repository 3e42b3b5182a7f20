//! The error type of opctl: a message, its causes, and a hint.
//!
//! Every error that a user can see is created where the failure is detected. Its message has the affected object in
//! backticks, and its [hint](Error::hint) can be run or pasted. Only [`crate::report`] renders errors.

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
