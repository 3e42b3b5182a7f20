//! Projects with random objects and settings in `config/`: the installer, the chart and the bundle contain the same
//! objects. `TREES` sets the number of projects, and `TREES_SEED` the first seed.

mod bundle;
mod chart;
mod normal;
mod objects;
mod texts;
mod tree;
