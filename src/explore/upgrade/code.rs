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
    "A field of a pod template changes although the spec of the object is unchanged. All pods of all objects are replaced at once as soon as \
     the new version of the operator runs, which their users did not ask for.",
    "\"annotations\": { \"example.com/version\": env!(\"CARGO_PKG_VERSION\") }    # in the pod template",
    "keep the template as the old version wrote it, and let a field of the spec ask for the new one;\n\
     or say in tests/explore.toml why the restart is meant",
);
static ORPHAN: Lint = Lint::error(
    "orphan",
    "a child of the old version stays",
    "The old version made an object that the new one neither uses nor removes: a fresh installation of the new version does not have it. \
     It stays until somebody deletes it by hand.",
    "let name = format!(\"{}-config\", obj.name_any());    # was: obj.name_any()",
    "delete the child under its old name once the new one exists, and keep that for some releases",
);
static DUPLICATE: Lint = Lint::error(
    "duplicate",
    "a child exists twice",
    "The new version makes a child under a second name, or a second one with a random name, and the one of the old version stays. Both do \
     their work: two Deployments serve, two Jobs run.",
    "let name = format!(\"{}-web\", obj.name_any());    # was: obj.name_any()",
    "look for the child of the old version, by its labels or its owner, and keep using it; or delete it",
);
static LOST: Lint = Lint::error(
    "lost",
    "a value is lost",
    "A field of an object that users or the operator wrote is gone, or a value that was made once, such as a password, has changed. A CRD that lacks \
     a field removes it from every object at the next write, and so does a conversion that forgets the field.",
    "a field that is renamed in the CRD, without the old one",
    "keep the old field beside the new one for a release, and copy its value",
);
static REFUSED: Lint = Lint::error(
    "refused",
    "the API server refuses what was valid",
    "An object that the old CRD accepts is refused by the new one, by a webhook or by a conversion, so that it can neither be applied again nor restored from a backup; or the new \
     version sends a write that cannot be made to an object of the old one, such as of an immutable field.",
    "#[garde(range(max = 10))]    # was: max = 100",
    "keep the bounds of a version that is served, and make a new version for narrower ones;\n\
     delete and create a child whose immutable field changes",
);
static DENIED: Lint = Lint::error(
    "denied",
    "a right is missing",
    "The role of a version lacks a right that it needs for objects of the other version, such as to delete a child that only the old one made.",
    "verbs: [get, list, watch]    # the new version removes children of the old one",
    "keep the rights of the old version for the kinds that it made: a marker beside the code that removes them",
);
static STUCK: Lint = Lint::error(
    "stuck",
    "a deletion does not end",
    "The new version does not remove a finalizer that the old one has set. The object, and its namespace, cannot be deleted.",
    "const FINALIZER: &str = \"example.com/operator-v2\";    # was: example.com/operator",
    "remove the old finalizer as well, until no object has it",
);
static NO_WAY_BACK: Lint = Lint::error(
    "no-way-back",
    "the old version cannot take over again",
    "After the upgrade, the old version does not get the objects back into their state, or its CRDs cannot be applied: a stored version, a \
     finalizer or a child that it does not know.",
    "a new storage version in the same release as its conversion; a finalizer that only the new version removes",
    "release in two steps: first a version that understands the new state, then one that writes it;\n\
     or say in the release notes that the way back is closed, and in tests/explore.toml why",
);
static FIGHT: Lint = Lint::error(
    "fight",
    "both versions work at the same time",
    "During a rolling update, both versions run. They write different values into the same field again and again, or each holds a lease of its \
     own, so that both believe that they lead.",
    "lease_name: \"operator-v2\"    # was: operator",
    "keep the name of the lease; without leader election, `strategy: {type: Recreate}` in the Deployment of the operator",
);
static SLOW: Lint = Lint::error(
    "slow",
    "objects are not ready after the upgrade",
    "A fresh installation gets the object ready, and after the upgrade it is not: the new version waits for something that the old one has made \
     in another way.",
    "ready only if an annotation of the new version is there",
    "treat what the old version has made like your own",
);
static DIFFERS: Lint = Lint::error(
    "differs",
    "an upgraded object differs from a fresh one",
    "At rest, a field or child is not as the new version makes it in a fresh installation. Two objects with the same spec behave differently, \
     depending on when they were created.",
    "create the child if it is missing    # and never look at its fields again",
    "apply the whole desired child in each pass, under the same field manager as before",
);
static CHANGES: Lint = Lint::warning(
    "changes",
    "the upgrade changes a child",
    "A field of a child that is not a pod template changes although the spec is unchanged. It may be what the release is for.",
    "a default that is chosen by the operator, and is another one now",
    "keep the old default for objects that exist, or mention it in the release notes",
);
static NOT_STARTED: Lint = Lint::error(
    "not-started",
    "a version does not start",
    "With the objects that it finds, the operator ends by itself, or sends no request at all.",
    "serde_json::from_str(annotation).expect(\"valid\")    # an annotation of the other version",
    "read what the other version has written, and log what cannot be read",
);
