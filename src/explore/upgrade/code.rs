//! The codes of findings, each with its page in `opctl explain`.

use crate::finding::Lint;

/// The kind of a finding about an upgrade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Code {
    Refused,
    Denied,
    NotStarted,
    Restarts,
    Duplicate,
    Orphan,
    Lost,
    Stuck,
    NoWayBack,
    Fight,
    Slow,
    Differs,
    Changes,
}

impl Code {
    /// Returns the page about this kind of finding.
    pub(super) fn page(self) -> &'static Lint {
        match self {
            Code::Restarts => &RESTARTS,
            Code::Orphan => &ORPHAN,
            Code::Duplicate => &DUPLICATE,
            Code::Lost => &LOST,
            Code::Refused => &REFUSED,
            Code::Denied => &DENIED,
            Code::Stuck => &STUCK,
            Code::NoWayBack => &NO_WAY_BACK,
            Code::Fight => &FIGHT,
            Code::Slow => &SLOW,
            Code::Differs => &DIFFERS,
            Code::Changes => &CHANGES,
            Code::NotStarted => &NOT_STARTED,
        }
    }

    /// Returns the code that is shown in brackets after `error` or `warning`.
    pub(super) fn name(self) -> &'static str {
        self.page().code
    }
}

/// Returns the pages of all findings about upgrades.
pub fn lints() -> [&'static Lint; 13] {
    [
        &CHANGES,
        &DENIED,
        &DIFFERS,
        &DUPLICATE,
        &FIGHT,
        &LOST,
        &NO_WAY_BACK,
        &NOT_STARTED,
        &ORPHAN,
        &REFUSED,
        &RESTARTS,
        &SLOW,
        &STUCK,
    ]
}

static RESTARTS: Lint = Lint::error(
    "restarts",
    "the upgrade restarts pods",
    "A field of a pod template changes although the spec of the object is unchanged. All pods of all objects are \
     replaced as soon as the new version of the operator runs, although no user asked for this.",
    "\"annotations\": { \"example.com/version\": env!(\"CARGO_PKG_VERSION\") }    # in the pod template",
    "keep the template as the old version wrote it, and let a field of the spec ask for the new one;\n\
     or say in tests/explore.toml why the restart is meant",
);
static ORPHAN: Lint = Lint::error(
    "orphan",
    "an object that only the old version creates remains after the upgrade",
    "The old version made an object that the new version neither uses nor removes: a fresh installation of the new \
     version does not have this object. The object remains until somebody deletes it by hand.",
    "let name = format!(\"{}-config\", obj.name_any());    # was: obj.name_any()",
    "delete the child with the old name once the child with the new name exists, and keep this code for some releases",
);
static DUPLICATE: Lint = Lint::error(
    "duplicate",
    "the upgrade creates a second copy of an owned object",
    "The new version makes a child under a second name, or a second child with a random name, and the child of the \
     old version remains. Both children do their work: two Deployments serve, two Jobs run.",
    "let name = format!(\"{}-web\", obj.name_any());    # was: obj.name_any()",
    "look for the child of the old version, by its labels or its owner, and keep using it; or delete it",
);
static LOST: Lint = Lint::error(
    "lost",
    "the upgrade loses a value of an object",
    "A field that users or the operator wrote is gone, or a value that was generated once, such as a password, has \
     changed. If a CRD lacks a field, the field is removed from every object at the next write; a conversion that \
     forgets the field has the same effect.",
    "a field that is renamed in the CRD without keeping the old field",
    "keep the old field in addition to the new field for one release, and copy its value",
);
static REFUSED: Lint = Lint::error(
    "refused",
    "the API server refuses a write after the upgrade",
    "The new CRD, a webhook or a conversion refuses an object that the old CRD accepts, so that the object can \
     neither be applied again nor restored from a backup; or the new version sends a write that is not possible for \
     an object of the old version, such as a change of an immutable field.",
    "#[garde(range(max = 10))]    # was: max = 100",
    "keep the bounds of a version that is served, and make a new version for narrower ones;\n\
     delete and create a child whose immutable field changes",
);
static DENIED: Lint = Lint::error(
    "denied",
    "a version of the operator lacks an RBAC right",
    "The role of a version lacks a right that it needs for objects of the other version, such as to delete a child that only the old one made.",
    "verbs: [get, list, watch]    # the new version removes children of the old one",
    "keep the rights of the old version for the kinds that it made: add a marker next to the code that removes their \
     objects",
);
static STUCK: Lint = Lint::error(
    "stuck",
    "the deletion of an object does not end",
    "The new version does not remove a finalizer that the old one has set. The object, and its namespace, cannot be deleted.",
    "const FINALIZER: &str = \"example.com/operator-v2\";    # was: example.com/operator",
    "remove the old finalizer as well, until no object has it",
);
static NO_WAY_BACK: Lint = Lint::error(
    "no-way-back",
    "the old version does not work after a rollback",
    "After the upgrade, the old version cannot restore the earlier state of the objects, or its CRDs cannot be \
     applied. The cause is a stored version, a finalizer or a child that the old version does not know.",
    "a new storage version in the same release as its conversion; a finalizer that only the new version removes",
    "release in two steps: first a version that understands the new state, then one that writes it;\n\
     or state in the release notes that a rollback is not possible, and give the reason in tests/explore.toml",
);
static FIGHT: Lint = Lint::error(
    "fight",
    "the old and the new version reconcile at the same time",
    "During a rolling update, both versions run. They write different values into the same field again and again, or \
     each version holds its own lease, so that both believe that they lead.",
    "lease_name: \"operator-v2\"    # was: operator",
    "keep the name of the lease; without leader election, set `strategy: {type: Recreate}` in the Deployment of the \
     operator",
);
static SLOW: Lint = Lint::error(
    "slow",
    "objects are not ready after the upgrade",
    "The object becomes ready in a fresh installation, but not after the upgrade: the new version waits for something \
     that the old version made in another way.",
    "ready only if an annotation of the new version exists",
    "treat the objects of the old version like those of the new version",
);
static DIFFERS: Lint = Lint::error(
    "differs",
    "after the upgrade, an object differs from that of a fresh installation",
    "When the operator is at rest after the upgrade, a field or child differs from a fresh installation of the new \
     version. Two objects with the same spec behave differently, depending on when they were created.",
    "create the child if it is missing    # and never look at its fields again",
    "apply the whole desired child in each pass, under the same field manager as before",
);
static CHANGES: Lint = Lint::warning(
    "changes",
    "the upgrade changes an object that the operator owns",
    "A field of a child, other than a pod template, changes although the spec is unchanged. The change may be the \
     purpose of the release.",
    "a default value that the operator chooses, and that is different in the new version",
    "keep the old default for existing objects, or mention the change in the release notes",
);
static NOT_STARTED: Lint = Lint::error(
    "not-started",
    "a version of the operator does not start",
    "When the operator finds the existing objects, it exits or sends no request at all.",
    "serde_json::from_str(annotation).expect(\"valid\")    # an annotation of the other version",
    "read what the other version has written, and log what cannot be read",
);
