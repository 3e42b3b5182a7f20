//! Checks of an operator that is deployed, for `opctl test --e2e`.

mod absent;
mod last_words;
mod metrics;
mod place;
mod samples;
mod update;
mod webhooks;

pub use absent::nothing_is_there;
pub use last_words::last_words;
pub use metrics::metrics_need_rights;
pub use place::Place;
pub use samples::{remove_samples, samples_become_ready};
pub use update::{restart, update_loses_nothing};
pub use webhooks::{has_webhooks, webhooks_answer};
