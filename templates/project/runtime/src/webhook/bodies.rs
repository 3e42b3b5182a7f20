//! Limits the memory of requests in progress over all connections, because any client could
//! otherwise make the operator exceed the memory limit in its manifest.
//!
//! From before a body is read until the answer is sent, its content-length counts towards a limit.
//! At this limit, the operator closes the connection of a slow client, or else of the client with
//! the most bytes, so that calls of the API server get through. The processing of a body takes more
//! memory, by the body's length and number of JSON values (`[0,0,0,…]` takes sixteen times its
//! size), and waits until enough memory is free.

use super::reply::Failure;
use crate::connections::{Connection, protocol::HEAD};
use axum::http::StatusCode;
use parking_lot::Mutex;
use std::{collections::HashMap, sync::Arc, time::Duration};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

/// The assumed number of copies of a body in memory: as JSON and as the Rust type, before and after
/// changes, and memory that the allocator does not give back.
const FORMS: usize = 12;
/// The assumed memory of a JSON value in all copies of a body, without its text, in bytes.
const VALUE: usize = 256;
/// The unit in which memory is counted, in bytes.
const UNIT: usize = 1 << 10;
/// The time after which a body counts as sent slowly. The API server sends all of it at once.
const SLOW: Duration = Duration::from_secs(1);
/// The maximum number of requests that wait for free memory.
const WAITING: usize = 32;

pub struct Bodies {
    /// The maximum size of all bodies together, in bytes.
    most: usize,
    all: Mutex<Vec<Arc<Held>>>,
    freed: Notify,
    waiting: Semaphore,
    /// The memory for processing bodies, in units: the total, and the free part.
    work: (usize, Arc<Semaphore>),
}

struct Held {
    connection: Arc<Connection>,
    bytes: usize,
    /// The time at which sending of the request's body or answer began; `None` during processing.
    sent: Mutex<Option<Instant>>,
}

/// A guard that counts the memory of a body until it is dropped.
pub struct Hold {
    bodies: Arc<Bodies>,
    held: Arc<Held>,
}

impl Hold {
    /// Records if data is being sent: false once the body is read, true once the answer is ready.
    pub fn is_sent(&self, is_sent: bool) {
        *self.held.sent.lock() = is_sent.then(Instant::now);
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let mut all = self.bodies.all.lock();
        all.retain(|held| !Arc::ptr_eq(held, &self.held));
        self.bodies.freed.notify_waiters();
    }
}

impl Bodies {
    /// Limits memory to `memory` bytes: a quarter for bodies, and the rest for processing bodies.
    pub fn new(memory: usize) -> Arc<Self> {
        let work = memory / 4 * 3 / UNIT;
        Arc::new(Self {
            most: memory / 4,
            all: Mutex::default(),
            freed: Notify::new(),
            waiting: Semaphore::new(WAITING),
            work: (work, Arc::new(Semaphore::new(work))),
        })
    }

    /// Waits until there is free memory for a body of `length` bytes.
    pub async fn hold(
        self: &Arc<Self>,
        connection: &Arc<Connection>,
        length: usize,
    ) -> Result<Hold, Failure> {
        let bytes = length + HEAD;
        if bytes > self.most {
            return Err(too_large(format!("is longer than {} bytes", self.most)));
        }
        if let Some(hold) = self.try_hold(connection, bytes) {
            return Ok(hold);
        }
        // Each that waits may already have sent a window of its body.
        let Ok(_waits) = self.waiting.try_acquire() else {
            let why = "too many requests are in progress";
            return Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, why));
        };
        loop {
            let _ = timeout(SLOW / 10, self.freed.notified()).await;
            if let Some(hold) = self.try_hold(connection, bytes) {
                return Ok(hold);
            }
        }
    }

    fn try_hold(self: &Arc<Self>, connection: &Arc<Connection>, bytes: usize) -> Option<Hold> {
        let mut all = self.all.lock();
        while all.iter().map(|held| held.bytes).sum::<usize>() + bytes > self.most {
            let spare = spare(&all, connection, bytes)?.connection.clone();
            spare.cut.cancel();
            all.retain(|held| !Arc::ptr_eq(&held.connection, &spare));
        }
        let held = Arc::new(Held {
            connection: connection.clone(),
            bytes,
            sent: Mutex::new(Some(Instant::now())),
        });
        all.push(held.clone());
        let bodies = self.clone();
        Some(Hold { bodies, held })
    }

    /// Waits until there is free memory for processing `json`.
    pub async fn work(&self, json: &[u8]) -> Result<OwnedSemaphorePermit, Failure> {
        let (most, room) = &self.work;
        let units = (json.len() * FORMS + values(json) * VALUE).div_ceil(UNIT);
        let permits = u32::try_from(units).ok().filter(|_| units <= *most);
        let Some(permits) = permits else {
            return Err(too_large(format!("takes more than {most} kB of memory")));
        };
        let room = room.clone().acquire_many_owned(permits).await;
        room.map_err(|error| Failure::of_function(&error.into()))
    }
}

/// Chooses the body whose connection to close, so that a new body of `bytes` bytes fits into memory. Never chooses
/// the body of the connection `own`.
fn spare<'a>(all: &'a [Arc<Held>], own: &Connection, bytes: usize) -> Option<&'a Arc<Held>> {
    let sent = |held: &Held| *held.sent.lock();
    let is_slow = |held: &&Arc<Held>| sent(held).is_some_and(|since| since.elapsed() > SLOW);
    all.iter().find(is_slow).or_else(|| {
        let mut sums = HashMap::from([(own.peer, bytes)]);
        for held in all {
            *sums.entry(held.connection.peer).or_default() += held.bytes;
        }
        let (peer, _) = sums.into_iter().max_by_key(|(_, sum)| *sum)?;
        let mut others = all.iter().filter(|_| peer != own.peer);
        others.find(|held| held.connection.peer == peer && sent(held).is_some())
    })
}

fn too_large(why: String) -> Failure {
    let why = format!("the request {why}; to allow more, increase --webhook-memory");
    Failure::new(StatusCode::PAYLOAD_TOO_LARGE, why)
}

/// Returns the number of values in `json`, or a slightly higher number.
fn values(json: &[u8]) -> usize {
    let (mut values, mut in_string, mut is_escaped) = (1, false, false);
    for byte in json {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = in_string,
            b'"' => in_string = !in_string,
            b',' | b'[' | b'{' if !in_string => values += 1,
            _ => {}
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_where_they_are() {
        for (json, expected) in [
            ("", 1),
            ("0", 1),
            (r#"{"a": [1, 2], "b": "[,{\"[,"}"#, 5),
            (r#"["\\", 1]"#, 3),
            ("[[],[],[]]", 7),
        ] {
            assert_eq!(values(json.as_bytes()), expected, "{json}");
        }
    }
}
