//! Tests for migrations on a server that is busy, drops continue tokens, or rewrites objects itself.

mod server;

use super::MigrateOptions;
use super::migration::migrate_in;
use super::rewrite_objects::Objects;
use crate::cluster::{Connection, Target};
use crate::report::{Console, Report};
use crate::{Error, Result};
use kube::Client;
use serde_json::{Value, json};
use server::Server;

async fn migrate(server: &Server) -> Result<Report> {
    let options = MigrateOptions {
        target: Target::default(),
        timeout: std::time::Duration::from_secs(60),
        parallel: 4,
        check: false,
        dry_run: false,
        arguments: crate::error::Hint::default(),
    };
    migrate_in(&server.connection(), &[server.definition()], &options, &Console::silent()).await
}

fn rewritten(report: &Report) -> Value {
    report.data.as_ref().unwrap()["definitions"][0]["rewritten"].clone()
}

/// Returns the number of requests that begin with `start`.
fn asked(server: &Server, start: &str) -> usize {
    server.0.lock().unwrap().asked.iter().filter(|request| request.starts_with(start)).count()
}

const DISKS: &str = "/apis/example.com/v1/namespaces/default/disks/";

fn patch_of(number: usize) -> &'static str {
    ["PATCH /apis/example.com/v1/namespaces/default/disks/d0", "PATCH /apis/example.com/v1/namespaces/default/disks/d1"]
        [number]
}

#[tokio::test]
async fn a_busy_server_is_waited_for() {
    let server = Server::new(3);
    server.fails(patch_of(0), 429, json!({"details": {"retryAfterSeconds": 1}}));
    server.fails(patch_of(0), 503, json!({}));
    server.fails(patch_of(1), 500, json!({"message": "failed calling webhook"}));
    server.fails("GET /apis/example.com/v1/disks?&limit=500", 429, json!({}));
    let begun = std::time::Instant::now();
    let report = migrate(&server).await.unwrap();
    assert!(begun.elapsed().as_secs_f64() > 1.0, "Retry-After is honoured");
    assert_eq!(rewritten(&report), json!({"by": "patches", "written": 3, "passed": 0, "refused": 0}));
    assert_eq!(server.0.lock().unwrap().faults.len(), 0);
    assert_eq!(server.0.lock().unwrap().stored, ["v1"]);
}

/// kube's client waits as long as a busy server requests in the header `Retry-After`. The test uses a real
/// connection, because the fake server of the other tests replaces the part of the client that waits.
#[tokio::test]
async fn the_header_of_a_busy_server_is_honoured() {
    use std::io::{Read, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let list = Server::new(3).0.lock().unwrap().list(0, 3).to_string();
    let server = std::thread::spawn(move || {
        for (status, body) in [("429 Too Many Requests\r\nRetry-After: 1", "busy"), ("200 OK", list.as_str())] {
            let (mut stream, _) = listener.accept().unwrap();
            let (mut request, mut buffer) = (Vec::new(), [0; 4096]);
            while !request.ends_with(b"\r\n\r\n") {
                let read = stream.read(&mut buffer).unwrap();
                request.extend_from_slice(&buffer[..read]);
            }
            let length = body.len();
            let answer = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}");
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    let fake = Server::new(3);
    let client = Client::try_from(kube::Config::new(address.parse().unwrap())).unwrap();
    let (connection, definition) = (Connection { client, ..fake.connection() }, fake.definition());
    let objects = Objects { connection: &connection, definition: &definition, version: "v1", converted: false };
    let begun = std::time::Instant::now();
    assert_eq!(objects.count().await.unwrap(), Some(3));
    server.join().unwrap();
    assert!(begun.elapsed().as_secs_f64() >= 1.0, "{:?}", begun.elapsed());
}

#[tokio::test]
async fn objects_that_others_write_or_delete_do_not_stop_it() {
    let server = Server::new(3);
    server.fails(patch_of(0), 409, json!({"reason": "Conflict"}));
    for request in [patch_of(1), "GET /apis/example.com/v1/namespaces/default/disks/d1"] {
        server.fails(request, 404, json!({"reason": "NotFound", "details": {"name": "d1"}}));
    }
    let report = migrate(&server).await.unwrap();
    assert_eq!(rewritten(&report), json!({"by": "patches", "written": 2, "passed": 1, "refused": 0}));
    assert_eq!((asked(&server, &format!("GET {DISKS}d0")), asked(&server, patch_of(0))), (1, 2));
    assert_eq!(server.0.lock().unwrap().stored, ["v1"]);
}

#[tokio::test]
async fn an_answer_that_is_not_true_of_the_object_is_a_refusal() {
    for code in [404, 409] {
        let server = Server::new(2);
        for _ in 0..=10 {
            server.fails(patch_of(1), code, json!({"message": "no such tenant", "details": {"name": "d1"}}));
        }
        let error = migrate(&server).await.unwrap_err();
        assert_eq!(error.message(), "the API server refuses to write 1 object still stored in an older version");
        assert_eq!(server.0.lock().unwrap().stored, ["v1alpha1", "v1"]);
    }
}

#[tokio::test]
async fn a_list_that_the_server_has_forgotten_is_read_on() {
    for (status, lists) in [(json!({"metadata": {"continue": "from2"}}), 3 + 2), (json!({}), 4 + 2)] {
        let server = Server::new(6);
        server.0.lock().unwrap().page = 2;
        server.fails("GET /apis/example.com/v1/disks?&limit=500&continue=from2", 410, status);
        let report = migrate(&server).await.unwrap();
        let rewritten = rewritten(&report);
        assert_eq!(rewritten["written"], 6, "{rewritten}");
        assert_eq!(asked(&server, "GET /apis/example.com/v1/disks?"), lists);
        assert_eq!(server.0.lock().unwrap().objects, [2; 6]);
    }
}

#[tokio::test]
async fn objects_that_the_server_refuses_to_write_are_named_and_left() {
    let server = Server::new(2);
    server.fails(patch_of(1), 422, json!({"message": "spec.size: Required value"}));
    let error = migrate(&server).await.unwrap_err();
    assert_eq!(error.message(), "the API server refuses to write 1 object still stored in an older version");
    assert_eq!(error.causes(), ["Disk `d1` in namespace `default`: spec.size: Required value"]);
    assert_eq!(server.0.lock().unwrap().stored, ["v1alpha1", "v1"]);
    let report = migrate(&server).await.unwrap();
    assert_eq!(rewritten(&report), json!({"by": "patches", "written": 1, "passed": 1, "refused": 0}));
}

#[tokio::test]
async fn a_server_that_stays_silent_ends_it() {
    let server = Server::new(2);
    server.fails(patch_of(1), 404, json!({"message": "404 page not found"}));
    let error: Error = migrate(&server).await.unwrap_err();
    assert!(error.message().contains("could not patch `d1`"), "{error}");
    assert_eq!(server.0.lock().unwrap().stored, ["v1alpha1", "v1"]);
}

#[tokio::test]
async fn a_storage_version_that_moves_meanwhile_leaves_the_status() {
    let server = Server::new(1);
    server.0.lock().unwrap().moves_to = Some("v1alpha1");
    let error = migrate(&server).await.unwrap_err();
    assert_eq!(error.message(), "the storage version of `disks.example.com` changed during the migration");
    assert_eq!(
        error.causes(),
        ["the storage version was `v1` (stored: `v1alpha1`, `v1`) and is now `v1alpha1` (stored: `v1alpha1`, `v1`)"]
    );
    assert_eq!(server.0.lock().unwrap().stored, ["v1alpha1", "v1"]);
}

#[tokio::test]
async fn a_conversion_that_ends_meanwhile_ends_the_migration() {
    // In the middle of the list, and with its last object.
    for (converts, written) in [(2, 2), (6, 6)] {
        let server = Server::new(6);
        {
            let mut state = server.0.lock().unwrap();
            (state.page, state.converts) = (2, converts);
        }
        let error = migrate(&server).await.unwrap_err();
        assert_eq!(error.message(), "the CRD `disks.example.com` lost its conversion webhook during the migration");
        let state = server.0.lock().unwrap();
        assert_eq!(state.objects.iter().filter(|version| **version == 2).count(), written);
        assert_eq!(state.stored, ["v1alpha1", "v1"]);
    }
}

/// Returns a server that serves `StorageVersionMigration` and sets `condition`, if any, in each such object.
fn with_migrations(condition: Option<&'static str>) -> Server {
    let server = Server::new(2);
    let mut state = server.0.lock().unwrap();
    (state.migrations, state.condition) = (Some("v1beta1"), condition);
    drop(state);
    server
}

const MIGRATIONS: &str = " /apis/storagemigration.k8s.io/v1beta1/storageversionmigrations";

#[tokio::test]
async fn the_cluster_migrates_where_it_does() {
    let server = with_migrations(Some("Succeeded"));
    let report = migrate(&server).await.unwrap();
    assert_eq!(rewritten(&report), json!({"by": "StorageVersionMigration"}));
    assert_eq!((asked(&server, "PATCH"), asked(&server, &format!("POST{MIGRATIONS}"))), (0, 1));
    assert_eq!(server.0.lock().unwrap().stored, ["v1"]);
    assert_eq!(server.0.lock().unwrap().migration, None, "it is cleaned up");
}

#[tokio::test]
async fn opctl_migrates_where_the_cluster_does_not() {
    for condition in [None, Some("Failed")] {
        let server = with_migrations(condition);
        let report = migrate(&server).await.unwrap();
        assert_eq!(rewritten(&report)["written"], 2, "{condition:?}");
        let state = server.0.lock().unwrap();
        assert_eq!((state.migration.clone(), &state.stored[..]), (None, &["v1".to_owned()][..]), "{condition:?}");
    }
    // The user lacks the right to create a `StorageVersionMigration`.
    let server = with_migrations(Some("Succeeded"));
    server.fails("POST /apis/storagemigration.k8s.io", 403, json!({"message": "no"}));
    assert_eq!(rewritten(&migrate(&server).await.unwrap())["written"], 2);
}

#[tokio::test]
async fn a_migration_left_by_a_killed_opctl_is_awaited_or_created_anew() {
    for (left, made) in [("Running", 0), ("Succeeded", 1), ("Failed", 1)] {
        let server = with_migrations(Some("Succeeded"));
        let status = json!({"conditions": [{"type": left, "status": "True"}]});
        let migration = json!({"metadata": {"name": "opctl-disks.example.com"}, "status": status});
        server.0.lock().unwrap().migration = Some(migration);
        let ends = async {
            while left == "Running" && asked(&server, &format!("GET{MIGRATIONS}/")) < 3 {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
            let mut state = server.0.lock().unwrap();
            if let Some(migration) = state.migration.as_mut().filter(|_| left == "Running") {
                migration["status"]["conditions"][0]["type"] = json!("Succeeded");
            }
        };
        let (report, ()) = tokio::join!(migrate(&server), ends);
        assert_eq!(rewritten(&report.unwrap()), json!({"by": "StorageVersionMigration"}), "{left}");
        assert_eq!(asked(&server, &format!("POST{MIGRATIONS}")), made, "{left}");
    }
}

#[tokio::test]
async fn a_migration_that_is_killed_at_any_request_is_finished_by_the_next() {
    for by_cluster in [false, true] {
        for takes_effect in [false, true] {
            for kills in 0.. {
                let server = if by_cluster { with_migrations(Some("Succeeded")) } else { Server::new(3) };
                (server.0.lock().unwrap().page, server.0.lock().unwrap().kill) = (2, Some((kills, takes_effect)));
                let killed = async {
                    while server.0.lock().unwrap().kill.is_some() {
                        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
                    }
                };
                tokio::select! {
                    report = migrate(&server) => {
                        assert!(kills > 8 && report.is_ok(), "{kills}: {report:?}");
                        break;
                    }
                    () = killed => {}
                }
                migrate(&server).await.unwrap();
                let state = server.0.lock().unwrap();
                assert_eq!((state.stored.join(" "), &state.migration), ("v1".to_owned(), &None), "{kills}");
                assert!(by_cluster || state.objects.iter().all(|written| *written == 2), "{kills}");
            }
        }
    }
}
