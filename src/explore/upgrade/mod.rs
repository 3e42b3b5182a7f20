//! Plays an upgrade of an operator, and the way back, on a real API server.
//!
//! - A [`Pair`] has the old version and the new one, and the versions before the old one, if the objects are older; the
//!   CRDs of the first one are served at first.
//! - The trial plays all [`Play`]s, each in its own namespace, while the CRDs of the server go from the old ones to
//!   the new ones, back, and forward again. A version works behind the proxy of an exploration, with its own rights.
//! - The judge compares what the plays leave with what each version makes by itself: the old one before the upgrade and
//!   after a mere restart, the new one in a fresh installation. What differs there is not due to the upgrade.
//! - A finding has a code ([`lints`]) with a page, the events, the differences and the line that shows it again.

mod admission;
mod beside;
mod chain;
mod code;
mod crds;
mod definitions;
mod examine;
mod found;
mod judge;
mod part;
mod picture;
mod play;
mod release;
mod trial;
mod variants;

pub use code::lints;
pub use examine::{Examined, Meant, chosen, examine};
pub use play::Play;
pub use release::{Pair, Release};
