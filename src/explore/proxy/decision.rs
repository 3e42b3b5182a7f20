//! The decisions that inject a fault: on a request, on its response, and on the events of a watch.

use std::time::Duration;

/// The decision on a request before it reaches the API server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Before {
    Forward,
    /// Forward the request with this query string instead of the operator's query string.
    Ask(String),
    /// Answer a watch with the objects at this resource version, and then with the later events.
    BeginAt(String),
    /// Close the connection after this time; the request never reaches the server.
    Hang(Duration),
    /// Refuse the request with this HTTP status; the request never reaches the server.
    Refuse(u16),
    /// Write the object as another client, and then forward the request.
    WriteFirst,
}

/// The decision on a response of the API server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    Answer,
    AnswerIn(Duration),
    /// Close the connection without a response.
    Close,
    /// Kill the operator, and close the connection without a response.
    Kill,
    /// Suspend the operator, and send the response.
    Suspend,
}

/// The state of the watches of one resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flow {
    #[default]
    Open,
    /// The watch holds all events back.
    Held,
    /// Drop the held events, send the error that the resource version is too old, and end the watch.
    Expire,
    /// Drop the held events, and end the watch: a client continues from the last event that it received.
    Close,
}
