mod moved;
pub use moved::*;
