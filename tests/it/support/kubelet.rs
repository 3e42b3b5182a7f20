//! A node whose kubelet only serves logs.

use kube::Client;
use kube::api::{Api, ApiResource, DynamicObject, Patch, PatchParams};
use kube::core::GroupVersionKind;
use rcgen::CertifiedKey;
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

pub(crate) const NODE: &str = "node";

/// Creates a node whose kubelet serves logs. `answer` returns the log for a pod, a container and the query of the
/// request, and optionally a second part that comes later.
pub(crate) async fn kubelet(client: &Client, answer: fn(&str, &str, &str) -> (String, Option<String>)) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let CertifiedKey { cert, signing_key } = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let key = PrivateKeyDer::Pkcs8(signing_key.serialize_der().into());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let tls = tls.with_no_client_auth().with_single_cert(vec![cert.der().clone()], key).unwrap();
    let tls = Arc::new(tls);
    std::thread::spawn(move || {
        for connection in listener.incoming().map_while(Result::ok) {
            let connection = StreamOwned::new(ServerConnection::new(tls.clone()).unwrap(), connection);
            std::thread::spawn(move || serve(connection, answer));
        }
    });
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk("", "v1", "Node"));
    let nodes: Api<DynamicObject> = Api::all_with(client.clone(), &resource);
    let node = json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": NODE}});
    nodes.patch(NODE, &PatchParams::apply("test"), &Patch::Apply(&node)).await.unwrap();
    let status = json!({"status": {
        "addresses": [{"type": "InternalIP", "address": "127.0.0.1"}],
        "daemonEndpoints": {"kubeletEndpoint": {"Port": port}},
    }});
    nodes.patch_status(NODE, &PatchParams::default(), &Patch::Merge(&status)).await.unwrap();
}

fn serve(
    mut connection: StreamOwned<ServerConnection, std::net::TcpStream>,
    answer: fn(&str, &str, &str) -> (String, Option<String>),
) {
    let mut request = vec![0; 4096];
    let Ok(length) = connection.read(&mut request) else { return };
    // The request is `GET /containerLogs/NAMESPACE/POD/CONTAINER?QUERY`.
    let request = String::from_utf8_lossy(&request[..length]).into_owned();
    let Some(target) = request.split_whitespace().nth(1) else { return };
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let [pod, container] = [3, 4].map(|place| path.split('/').nth(place).unwrap_or_default());
    let (text, later) = answer(pod, container, query);
    let length = match &later {
        None => format!("Content-Length: {}\r\n", text.len()),
        Some(_) => String::new(),
    };
    let head = format!("HTTP/1.1 200 OK\r\nConnection: close\r\n{length}\r\n");
    let _ = connection.write_all((head + &text).as_bytes());
    if let Some(later) = later {
        let _ = connection.flush();
        std::thread::sleep(Duration::from_millis(500));
        let _ = connection.write_all(later.as_bytes());
    }
    connection.conn.send_close_notify();
    let _ = connection.flush();
}
