//! Rule: a VecDeque is a list.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "lists.example.com", version = "v1", kind = "Queue", plural = "queues", namespaced)]
pub struct QueueSpec {
    pub steps: VecDeque<i64>,
}
