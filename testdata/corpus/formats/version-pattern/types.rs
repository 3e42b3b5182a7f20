//! Rule: semver's pattern is one that RE2 reads.

use kube::CustomResource;
use schemars::JsonSchema;
use semver::Version;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "formats.example.com", version = "v1", kind = "VersionPattern", plural = "versionpatterns", namespaced)]
pub struct VersionPatternSpec {
    pub version: Version,
}
