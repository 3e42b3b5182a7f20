//! The output of a command: one [`Report`] as data on stdout, and messages for the user on stderr.
//!
//! Nothing else in the crate writes to a terminal.

mod age;
mod columns;
mod console;
mod doctor_check;
mod document;
mod human;
mod line;
mod progress;
mod sarif;
mod short;
mod style;
mod wrap;

pub use age::{age, format_estimate};
pub use columns::columns;
pub use console::{Console, Verbosity};
pub use doctor_check::{Check, Verdict};
pub use document::{ChangeLine, Form, Outcome, Report, SCHEMA};
pub use progress::{Overall, Spinner};
pub use short::{clipped, cut_in_the_middle, shortened};
pub use wrap::{WIDTH, wrap};
