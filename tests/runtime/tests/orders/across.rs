//! Children outside of the namespaces of their owners, which Kubernetes' garbage collector does not delete.

use crate::model::{Request, Server};
use crate::run::{Run, Scenario, in_paused_time};
use crate::user;
use crate::world::Fate;
use serde_json::{Value, json};

/// The namespace of the children.
pub(crate) const NAMESPACE: &str = "other";

/// Returns the uid of the owner of a child: from its owner reference, or else from its annotation. Null for an object
/// without an owner.
pub(crate) fn owner(child: &Value) -> Value {
    let metadata = &child["metadata"];
    match &metadata["ownerReferences"][0]["uid"] {
        Value::Null => {
            let owner = metadata["annotations"]["opctl.dev/owner"].as_str();
            let owner = owner.and_then(|owner| serde_json::from_str::<Value>(owner).ok());
            owner.map(|owner| owner["uid"].clone()).unwrap_or_default()
        }
        uid => uid.clone(),
    }
}

/// Returns a violation if an operator deletes a child whose owner exists. `before` is the object before the deletion.
pub(crate) fn wrong(request: &Request, before: Option<&Value>, server: &Server) -> Option<String> {
    let owner = before.filter(|_| request.method == "DELETE" && request.kind.plural == "roles").map(owner)?;
    let is_there = server.all("webs").iter().any(|web| web["metadata"]["uid"] == owner);
    is_there.then(|| format!("the operator deleted a child whose owner exists: {}", request.line()))
}

impl Run {
    /// Checks that each role belongs to an object that exists.
    pub(crate) fn without_dangling_children(&mut self, when: &str) {
        let (roles, webs) = {
            let world = self.world.lock();
            (world.server.all("roles"), world.server.all("webs"))
        };
        for role in roles {
            let is_owner = |web: &Value| web["metadata"]["uid"] == owner(&role);
            if !owner(&role).is_null() && !webs.iter().any(|web| is_owner(web)) {
                self.say(&format!("{when}, the owner of this role does not exist: {role}"));
            }
        }
    }

    fn role(&self, name: &str) -> Option<Value> {
        let role = self.world.lock().server.get(&("roles", NAMESPACE.to_owned(), name.to_owned()));
        role.map(|role| (*role).clone())
    }

    fn delete_web(&self, name: &str) {
        user::act(&mut self.world.lock(), name, 3);
    }
}

#[test]
fn a_child_in_another_namespace_is_deleted_only_after_its_owner() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Across).await;
        run.pass_time(5).await;
        let web = run.world.lock().server.get(&("webs", "ns".to_owned(), "a".to_owned())).unwrap();
        let role = run.role("a").unwrap();
        assert_eq!(owner(&role), web["metadata"]["uid"]);
        assert!(role["metadata"]["ownerReferences"].is_null(), "the collector would delete it: {role}");
        run.delete_web("a");
        run.pass_time(5).await;
        assert!(run.role("a").is_none() && run.role("b").is_some());
        run.settled().await;
    });
}

#[test]
fn a_child_is_deleted_whose_owner_was_deleted_while_the_operator_was_not_running() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Across).await;
        run.pass_time(5).await;
        run.stop().await;
        run.delete_web("a");
        // The new object "b" has another uid: its child is created after the child of the old object is deleted.
        run.delete_web("b");
        user::act(&mut run.world.lock(), "b", 0);
        // Else an event about a ConfigMap of the owner would trigger the pass.
        while run.next() {}
        let before = run.role("b").unwrap();
        run.start_again();
        run.pass_time(30).await;
        assert!(run.role("a").is_none());
        let after = run.role("b").unwrap();
        assert_ne!(after["metadata"]["uid"], before["metadata"]["uid"]);
        assert_ne!(owner(&after), owner(&before));
        run.settled().await;
    });
}

#[test]
fn a_failed_deletion_of_a_child_in_another_namespace_is_retried() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Across).await;
        run.pass_time(5).await;
        let deletes = |request: &Request| request.method == "DELETE" && request.kind.plural == "roles";
        run.fate = |request| match request.method == "DELETE" && request.kind.plural == "roles" {
            true => Fate::Refused(403),
            false => Fate::Answered,
        };
        run.delete_web("a");
        run.pass_time(60).await;
        assert!(run.role("a").is_some());
        let asked = run.world.lock().trace.iter().filter(|line| line.contains("DELETE")).count();
        assert!((2..20).contains(&asked), "{asked} times in a minute");
        assert_eq!(run.world.lock().written.iter().filter(|request| deletes(request)).count(), 0);
        run.fate = |_| Fate::Answered;
        run.pass_time(60).await;
        assert!(run.role("a").is_none());
        run.settled().await;
    });
}

/// The cache of owners may be stale when the cache of children is not. The operator therefore asks the API server
/// before it deletes a child whose owner the cache lacks.
#[test]
fn a_child_is_not_deleted_if_only_the_stale_cache_lacks_its_owner() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Across).await;
        run.pass_time(5).await;
        let watches = |run: &Run, held: bool| {
            let mut world = run.world.lock();
            let webs = world.open.iter_mut().filter(|open| open.watch.request.kind.plural == "webs");
            webs.for_each(|open| open.held = held);
        };
        watches(&run, true);
        run.delete_web("a");
        user::act(&mut run.world.lock(), "a", 0);
        let uid =
            run.world.lock().server.get(&("webs", "ns".to_owned(), "a".to_owned())).unwrap()["metadata"]["uid"].clone();
        // Names the new owner in the child, as the former leader would if its cache already had the new owner.
        let mut role = run.role("a").unwrap();
        let text = role["metadata"]["annotations"]["opctl.dev/owner"].as_str().unwrap().to_owned();
        let text = text.replace(owner(&role).as_str().unwrap(), uid.as_str().unwrap());
        role["metadata"]["annotations"]["opctl.dev/owner"] = text.into();
        let patch = json!({ "metadata": { "annotations": role["metadata"]["annotations"] } });
        let patch = Request::new("PATCH", "roles", "a", patch);
        let patch = Request { namespace: Some(NAMESPACE.to_owned()), ..patch };
        run.world.lock().server.answer(&patch);
        run.pass_time(5).await;
        let kept = run.role("a").unwrap();
        assert_eq!((owner(&kept), &kept["metadata"]["uid"]), (uid, &role["metadata"]["uid"]));
        watches(&run, false);
        run.settled().await;
    });
}
