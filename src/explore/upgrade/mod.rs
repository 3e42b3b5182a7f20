//! Tests an upgrade of an operator, and the rollback, on a real API server.
//!
//! - A [`Pair`] has the old version, the new version and, if the objects are older, the versions before the old
//!   version. At first, the API server serves the CRDs of the first version.
//! - The trial runs all [`Play`]s, each in a separate namespace, while the CRDs of the server change from old to
//!   new, back to old, and to new again. A version runs behind the proxy of an exploration, with its own rights.
//! - The judge compares the results of the plays with the results of each version alone: of the old version after a
//!   mere restart, for example. Differences that also occur without an upgrade are not due to the upgrade.
//! - A finding has a code ([`lints`]) with a page, the events, the differences and the command to repeat it.

mod admission;
mod apply_crds;
mod beside;
mod chain;
mod code;
mod crds;
mod examine;
mod found;
mod judge;
mod picture;
mod play;
mod release;
mod run_version;
mod trial;
mod variants;

pub use code::lints;
pub use examine::{Examined, Meant, chosen, examine};
pub use play::Play;
pub use release::{Pair, Release};
