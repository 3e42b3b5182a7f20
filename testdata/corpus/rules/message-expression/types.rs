//! Rule: a message may be an expression.

use kube::core::{Message, Rule};
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "rules.example.com",
    version = "v1",
    kind = "MessageExpression",
    plural = "messageexpressions",
    namespaced
)]
#[x_kube(validation = Rule::new("self.max >= self.min").message(Message::Expression("self.min > 5 ? 'max must be large' : 'max must be at least min'".into())))]
pub struct MessageExpressionSpec {
    pub min: i32,
    pub max: i32,
}
