//! Measures the resources that an operator uses for many objects (memory, CPU time and requests), and forecasts the
//! memory and the time for larger numbers of objects.
//!
//! - [`Cluster`]: the API server of one measurement, which the operator reaches through a proxy that counts requests.
//! - [`measure()`] starts the operator with existing objects, waits until it has worked on all of them, measures it
//!   at rest, and starts it again with the same objects. The result is a [`Measured`].
//! - [`Forecast`] fits a line to the memory of several measurements, and [`Resources`] adds headroom to this line.

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
