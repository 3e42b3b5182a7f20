//! Measures an operator: its memory, processor time and requests with many objects, and the forecast for more of them.
//!
//! - [`Cluster`]: the API server of one measurement, which the operator reaches through a proxy that counts.
//! - [`measure()`] starts the operator over objects that exist already, waits until it has worked on all of them, looks at
//!   it at rest, and starts it again over the same objects. The result is a [`Measured`].
//! - [`Forecast`] fits a line to the memory of several measurements, and [`Resources`] adds headroom to it.

mod cluster;
mod copies;
mod forecast;
mod measure;
mod measured;
mod plan;
mod process;
mod progress;
mod proxy;
mod resources;
mod rest;
mod table;
mod traffic;

pub use cluster::Cluster;
pub use forecast::Forecast;
pub use measure::{idle, measure};
pub use measured::{Idle, Measured};
pub use plan::Plan;
pub use resources::Resources;
pub use table::{lines, sentence};
