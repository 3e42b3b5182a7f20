//! Tests an upgrade of an operator, and the rollback, on a real API server.
//!
//! - A [`Pair`] has the old version and the new version. If an even earlier version created the objects, the pair also
//!   has all versions before the old version. At first, the API server serves the CRDs of the earliest version.
//! - The trial runs all [`Play`]s, which are sequences of events around the upgrade. Most plays have a separate
//!   namespace. Meanwhile, the CRDs of the server change from old to new, then back to old for the rollback, and to
//!   new for a second upgrade. Each version sends its requests through a proxy of `opctl explore`, and has only the
//!   rights of its roles.
//! - The judge compares the results of the plays with the results of each version without an upgrade, for example with
//!   the old version after a restart. Differences that also occur without an upgrade are not due to the upgrade.
//! - A finding has a code ([`lints`]) with a page, the events, the differences and the command that repeats the play.

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
pub use examine::{Examined, Meant, examine, selected_plays};
pub use play::Play;
pub use release::{Pair, Release};
