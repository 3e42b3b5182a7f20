//! `migrate`: rewrites objects that are stored in an older version in the storage version, so that the older version
//! can be removed.

mod migration;
mod options;
mod patience;
mod plan;
mod report;
mod rewrite_objects;
mod storage_version_migration;
mod stored;

pub use migration::migrate;
pub use options::MigrateOptions;

#[cfg(test)]
mod tests;
