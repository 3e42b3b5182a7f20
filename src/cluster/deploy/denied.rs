//! Collects the objects of a deployment that the user has no right to apply, and reports all of them in one error,
//! because somebody else has to apply them.

use super::member::Member;
use crate::Error;
use crate::cluster::{Connection, RefusedBy};
use crate::error::{Hint, hint};

/// The objects that the user has no right to apply.
#[derive(Default)]
pub(super) struct Denied {
    reasons: Vec<String>,
    /// The arguments of `kubectl auth can-i` for the first object that was refused because of a missing right.
    question: Option<Hint>,
}

impl Denied {
    /// Adds `member` if the server refused it because the user lacks a right; otherwise returns the error.
    pub(super) fn add(&mut self, member: &Member, error: kube::Error) -> Result<(), kube::Error> {
        let kube::Error::Api(status) = &error else { return Err(error) };
        let (path, plural) = (member.path(), &member.resource.plural);
        let reason = match RefusedBy::of(&status.message) {
            RefusedBy::MissingRight => {
                let verb = verb(&status.message);
                let within = member.namespace().map(|name| hint!(" --namespace {name}", name)).unwrap_or_default();
                self.question
                    .get_or_insert_with(|| hint!("auth can-i {verb} {}{within}", member.resource_name(), verb, within));
                format!("`{path}`: you may not {verb} {plural}")
            }
            RefusedBy::Escalation => format!("`{path}`: it grants rights that you do not have yourself"),
            _ => return Err(error),
        };
        self.reasons.push(reason);
        Ok(())
    }

    /// Returns the error for the refused objects, if any; `count` is the number of objects in the deployment.
    pub(super) fn error(&self, count: usize, connection: &Connection) -> Option<Error> {
        if self.reasons.is_empty() {
            return None;
        }
        let number = self.reasons.len();
        let error = Error::cluster(format!("you may not apply {number} of {count} objects, and nothing was applied"));
        let error = self.reasons.iter().fold(error, Error::caused_by);
        let check = self.question.iter().map(|question| hint!("\n{}", connection.kubectl(question)));
        Some(error.hint(hint!(
            "ask a cluster administrator to run `opctl deploy` once with the same image: \
                               afterwards, your `opctl deploy` skips the objects that need no change and that you may \
                               read{}",
            Hint::join(check, "")
        )))
    }
}

/// Returns the verb in the message of the authorizer, such as `patch` in `User "jane" cannot patch resource "roles"`;
/// `apply` if the message names no verb.
fn verb(message: &str) -> &str {
    let verb = message.split_once("\" cannot ").and_then(|(_, rest)| rest.split_once(' '));
    verb.map_or("apply", |(verb, _)| verb)
}

#[cfg(test)]
mod tests {
    use super::verb;

    #[test]
    fn the_verb_is_the_authorizers() {
        let message = "clusterroles.rbac.authorization.k8s.io \"a\" is forbidden: User \"jane\" cannot get resource \"clusterroles\" in API group";
        assert_eq!(verb(message), "get");
        assert_eq!(verb("no"), "apply");
    }
}
