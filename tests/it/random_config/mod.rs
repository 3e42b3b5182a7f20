//! Projects with random objects and settings in `config/`: the installer, the chart and the bundle say the same. `TREES` and
//! `TREES_SEED` choose how many, and the first.

mod bundle;
mod chart;
mod normal;
mod objects;
mod texts;
mod tree;
