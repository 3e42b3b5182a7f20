//! The decisions that inject a fault: on a request, on its response, and on the events of a watch.

use std::time::Duration;

/// The decision on a request before it reaches the API server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Before {
    Forward,
    /// Forward the request with this query string instead of its own.
    Ask(String),
    /// Answer a watch with the objects as they were at this resource version, and the events since.
    BeginAt(String),
    /// Close the connection after this time; the request never reaches the server.
    Hang(Duration),
    /// Refuse the request with this status; it never reaches the server.
    Refuse(u16),
    /// Let another client write the object first.
    WriteFirst,
}

/// The decision on the response.
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
    /// Drop the held events, send the error that the resource version is too old, and end the watch.
    Expire,
    /// Drop the held events, and end the watch: a client continues from the last event that it received.
    Close,
}
