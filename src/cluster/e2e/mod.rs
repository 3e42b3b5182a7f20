//! Checks of an operator that is deployed, for `opctl test --e2e`.

mod absent;
mod call_webhooks;
mod last_words;
mod metrics;
mod place;
mod ready_samples;
mod update;

pub use absent::nothing_is_there;
pub use call_webhooks::{has_webhooks, webhooks_answer};
pub use last_words::last_words;
pub use metrics::metrics_need_rights;
pub use place::Place;
pub use ready_samples::{remove_samples, samples_become_ready};
pub use update::{restart, update_loses_nothing};
