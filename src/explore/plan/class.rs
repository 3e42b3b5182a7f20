//! The classes of faults, and their targets.

/// A class of faults. Kubernetes permits each of these faults, so that a correct operator must handle them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// The operator is killed after the API server has committed a write, before the operator gets the response.
    Crash,
    /// The operator is killed after a write, and the samples are deleted before the operator is started again.
    Abandon,
    /// The API server commits a write, and the connection is closed before the operator gets the response.
    Lost,
    /// Requests are refused with status 500 until the operator comes to rest.
    Refuse,
    /// Requests are refused with status 429 and a `Retry-After` header for one second.
    Throttle,
    /// Another client writes an object just before the operator writes the same object.
    Conflict,
    /// The watch holds back the event of the operator's own write while another reconcile runs, so that the operator's
    /// cache is stale.
    LagOwn,
    /// The response to a request arrives late.
    Slow,
    /// A request never reaches the API server, and its connection is closed after a while.
    Hang,
    /// A watch sends no events for a while.
    Lag,
    /// A watch sends no events for a while, and then ends with the error that the resource version is too old (410).
    Expire,
    /// A watch sends no events for a while, and is then closed.
    Cut,
    /// A watch ends at once with the error that the resource version is too old (410), although no event was missed.
    Relist,
    /// The operator is killed before a step of the scenario, and started again after the step.
    Down,
    /// The operator is suspended before a step of the scenario, and resumed after the step.
    Pause,
    /// The operator is restarted while it is at rest.
    Restart,
    /// The operator is restarted at rest, and its list requests that permit stale objects return the objects from
    /// before the step.
    StaleList,
    /// The operator is restarted at rest and gets a list in pages of one object, and the first continue token of this
    /// list expires (410).
    Pages,
    /// Another client takes the operator's lease, and a child is deleted while the other client holds the lease.
    Lease,
    /// The operator runs twice, with leader election. The leader is suspended after a write until the other replica has
    /// taken the lease and has worked, and is then resumed with the response to its write.
    HandOver,
    /// A child is deleted.
    DeleteChild,
    /// A child is deleted while the watch is interrupted, so that only a new list shows the deletion to the operator.
    DeleteUnseen,
    /// A child's labels are removed.
    StripLabels,
    /// A field of a sample gets another value, and then its original value again.
    Field,
    /// Pods, Jobs or volume claims are unhealthy for a while, or until the samples are deleted.
    Unready,
    /// A request never gets a response while the operator runs.
    Unanswered,
}

/// The kind of target that a class of faults has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// One request, such as `patch:services/web#1`.
    Request,
    /// The watch of a resource, such as `services`, or `*` for all watches.
    Watch,
    /// An object that the operator has created, such as `services/web`.
    Child,
    /// The list requests for a resource, such as `services`.
    List,
    /// The operator itself, as a whole.
    Operator,
    /// A value of a sample's field, such as `webs.example.com/w/spec.port=0`.
    Field,
    /// A resource and the simulated failure of its objects, such as `deployments.apps=crash`.
    Workload,
}

/// The name of a class in a plan, such as `crash`, its kind of target, and the fault as a phrase for messages.
struct Row(&'static str, Aim, &'static str);

impl Class {
    /// All classes, in the order in which the planner takes turns: it lists one plan of the first class, then one plan
    /// of the second class, and so on.
    pub const ALL: [Class; 26] = [
        Class::Restart,
        Class::DeleteChild,
        Class::StripLabels,
        Class::Crash,
        Class::StaleList,
        Class::Field,
        Class::Unready,
        Class::Lease,
        Class::Refuse,
        Class::HandOver,
        Class::DeleteUnseen,
        Class::Abandon,
        Class::Lost,
        Class::Expire,
        Class::Down,
        Class::Lag,
        Class::Conflict,
        Class::LagOwn,
        Class::Relist,
        Class::Cut,
        Class::Pause,
        Class::Pages,
        Class::Throttle,
        Class::Hang,
        Class::Unanswered,
        Class::Slow,
    ];

    fn row(self) -> Row {
        match self {
            Class::Crash => Row("crash", Aim::Request, "after a crash"),
            Class::Abandon => Row("abandon", Aim::Request, "after a crash and a deletion before the restart"),
            Class::Lost => Row("lost", Aim::Request, "after a write whose answer is lost"),
            Class::Refuse => Row("refuse", Aim::Request, "after requests that the API server refuses with 500"),
            Class::Throttle => Row("throttle", Aim::Request, "after requests that the API server refuses with 429"),
            Class::Conflict => Row("conflict", Aim::Request, "after somebody else's write of the same object"),
            Class::LagOwn => Row("lag-own", Aim::Request, "while the watch does not show the operator's own write"),
            Class::Slow => Row("slow", Aim::Request, "after a late answer"),
            Class::Hang => Row("hang", Aim::Request, "after a request that the API server never answers"),
            Class::Lag => Row("lag", Aim::Watch, "after a watch that lags"),
            Class::Expire => Row("expire", Aim::Watch, "after a watch that missed events and ended with 410"),
            Class::Cut => Row("cut", Aim::Watch, "after a watch that was closed"),
            Class::Relist => Row("relist", Aim::Watch, "after a watch that ended with 410"),
            Class::Down => Row("down", Aim::Operator, "after the operator was down"),
            Class::Pause => Row("pause", Aim::Operator, "after the operator was suspended"),
            Class::Restart => Row("restart", Aim::Operator, "after a restart"),
            Class::StaleList => Row("stale-list", Aim::List, "after a restart with a list that is out of date"),
            Class::Pages => Row("pages", Aim::List, "after a restart with lists in small pages"),
            Class::Lease => Row("lease", Aim::Operator, "after somebody else took the lease"),
            Class::HandOver => Row("hand-over", Aim::Request, "after another replica took over"),
            Class::DeleteChild => Row("delete-child", Aim::Child, "after a child was deleted"),
            Class::DeleteUnseen => {
                Row("delete-unseen", Aim::Child, "after a child was deleted while the watch was interrupted")
            }
            Class::StripLabels => Row("strip-labels", Aim::Child, "after a child lost its labels"),
            Class::Field => Row("field", Aim::Field, "after a field was changed, and changed back"),
            Class::Unready => Row("unready", Aim::Workload, "when pods, Jobs or claims are unhealthy"),
            Class::Unanswered => Row("unanswered", Aim::Request, "when a request is never answered"),
        }
    }

    /// Returns the name of the class in a plan, such as `crash`.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Returns the kind of target that the class has.
    pub fn aim(self) -> Aim {
        self.row().1
    }

    /// Returns the fault as a phrase for messages, such as "after a crash".
    pub fn phrase(self) -> &'static str {
        self.row().2
    }
}
