//! Decisions of a fault: on a request, on its answer, on the events of a watch.

use std::time::Duration;

/// The decision on a request before it reaches the API server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Before {
    Forward,
    /// Ask this instead of what follows the question mark.
    Ask(String),
    /// Close the connection after this time; the request never reaches the server.
    Hang(Duration),
    /// Refuse it with this status; it never reaches the server.
    Refuse(u16),
    /// Let somebody else write the object first.
    WriteFirst,
}

/// The decision on the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    Answer,
    AnswerIn(Duration),
    /// Close the connection.
    Close,
    /// Kill the operator, and close the connection.
    Kill,
}

/// The state of the watches of one resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Flow {
    #[default]
    Open,
    /// Hold events back.
    Held,
    /// Drop what is held, say that the version is too old, and end.
    Expire,
    /// Drop what is held, and end: a client goes on from the last event that it got.
    Close,
}
