mod deep;

pub use deep::*;
