//! Tests of pushes to a registry that follows the protocol, and to registries that violate it.

use super::credential::Credential;
use super::push::push_as;
use super::session::FindCredential;
use crate::image::{Contents, Image, Platform};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// The ways in which the registry of a test responds to requests.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Open,
    Basic,
    Bearer,
    /// A token expires after two requests.
    Expiring,
    /// The registry refers to a token server with an `http` URL.
    TokenInClear,
    UploadInClear,
    NoLocation,
    Denied,
    Rubbish,
}

/// The requests that the registry of a test received, and the blobs that were uploaded.
#[derive(Default)]
struct Kept {
    lines: Vec<String>,
    uploaded: HashMap<String, Vec<u8>>,
    /// The number of requests with a valid token since a token was last issued.
    with_token: usize,
}

struct Registry {
    host: String,
    kept: Arc<Mutex<Kept>>,
}

fn registry(way: Way) -> Registry {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let host = listener.local_addr().unwrap().to_string();
    let kept = Arc::<Mutex<Kept>>::default();
    let (own, name) = (kept.clone(), host.clone());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            answer(&stream, way, &name, &own);
        }
    });
    Registry { host, kept }
}

fn answer(stream: &TcpStream, way: Way, host: &str, kept: &Mutex<Kept>) {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let (mut length, mut authorization) = (0, String::new());
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).unwrap();
        let Some((name, value)) = header.trim().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().unwrap(),
            "authorization" => value.clone_into(&mut authorization),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let mut words = line.split_whitespace();
    let (method, path) = (words.next().unwrap().to_owned(), words.next().unwrap().to_owned());
    let kept = &mut *kept.lock().unwrap();
    kept.lines.push(format!("{method} {path} {authorization}").trim_end().to_owned());
    let is_for_token = path.starts_with("/token");
    kept.with_token = if is_for_token { 0 } else { kept.with_token + usize::from(authorization == "Bearer t") };
    let bearer = format!("WWW-Authenticate: Bearer realm=\"http://{host}/token\",service=\"s\"");
    let (status, header, text) = match (way, method.as_str()) {
        (_, "GET") if is_for_token => (200, String::new(), r#"{"token": "t"}"#),
        (Way::Basic, _) if authorization != "Basic dTpw" => (401, "WWW-Authenticate: Basic realm=\"r\"".to_owned(), ""),
        (Way::Bearer | Way::Expiring, _) if authorization != "Bearer t" => (401, bearer, ""),
        (Way::Expiring, _) if kept.with_token > 2 => (401, bearer, ""),
        (Way::TokenInClear, _) => (401, bearer.replace(host, "tokens.example.com"), ""),
        (Way::Denied, _) => {
            (403, String::new(), r#"{"errors": [{"code": "DENIED", "message": "not\u001b[31m here"}]}"#)
        }
        (Way::Rubbish, _) => (500, String::new(), "<html>"),
        (_, "HEAD") if kept.uploaded.keys().any(|digest| path.ends_with(digest)) => (200, String::new(), ""),
        (_, "HEAD") => (404, String::new(), ""),
        (Way::NoLocation, "POST") => (202, String::new(), ""),
        (Way::UploadInClear, "POST") => (202, "Location: http://data.example.com/upload".to_owned(), ""),
        (_, "POST") => (202, "Location: /v2/web/blobs/uploads/1?state=2".to_owned(), ""),
        _ => {
            let name = path.split_once("digest=").map_or(path.as_str(), |(_, digest)| digest);
            kept.uploaded.insert(name.to_owned(), body);
            (201, String::new(), "")
        }
    };
    let header = if header.is_empty() { header } else { format!("{header}\r\n") };
    let length = if method == "HEAD" { 0 } else { text.len() };
    let head = format!("HTTP/1.1 {status} S\r\n{header}Content-Length: {length}\r\nConnection: close\r\n\r\n");
    let mut stream = stream;
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(&text.as_bytes()[..length]).unwrap();
}

fn image(platform: Platform) -> Image {
    Image::new(&Contents { platform, program: b"program", bill: "{}", repository: None, base: None }).unwrap()
}

const KNOWN: FindCredential = |_| Ok(Some(Credential::UsernamePassword("u".to_owned(), "p".to_owned())));
const UNKNOWN: FindCredential = |_| Ok(None);

#[test]
fn parts_that_a_registry_lacks_are_uploaded_once() {
    let registry = registry(Way::Open);
    let (reference, image) = (format!("{}/web:1", registry.host), image(Platform::Amd64));
    let mut said = Vec::new();
    let digest = push_as(UNKNOWN, &reference, std::slice::from_ref(&image), &mut |part| said.push(part.to_owned()));
    assert_eq!(digest.unwrap(), image.digest());
    assert_eq!(said, [image.layers[0].digest.clone(), image.config.digest.clone()]);
    {
        let kept = registry.kept.lock().unwrap();
        assert_eq!(kept.uploaded["/v2/web/manifests/1"], image.manifest.bytes);
        for part in [&image.layers[0], &image.config] {
            assert_eq!(kept.uploaded[&part.digest], part.bytes);
        }
    }
    push_as(UNKNOWN, &reference, &[image], &mut |part| panic!("{part} again")).unwrap();
}

#[test]
fn images_of_several_platforms_are_one_index() {
    let registry = registry(Way::Open);
    let images = [Platform::Amd64, Platform::Arm64].map(image);
    let reference = format!("{}/web:1", registry.host);
    push_as(UNKNOWN, &reference, &images, &mut |_| {}).unwrap();
    let kept = registry.kept.lock().unwrap();
    let index: serde_json::Value = serde_json::from_slice(&kept.uploaded["/v2/web/manifests/1"]).unwrap();
    for (number, image) in images.iter().enumerate() {
        let named = &index["manifests"][number];
        assert_eq!(named["digest"], image.digest());
        assert_eq!(named["platform"]["architecture"], image.platform.architecture());
        assert_eq!(kept.uploaded[&format!("/v2/web/manifests/{}", image.digest())], image.manifest.bytes);
    }
}

#[test]
fn a_registry_gets_the_credential_that_it_asks_for() {
    for (way, authorization) in [(Way::Basic, "Basic dTpw"), (Way::Bearer, "Bearer t")] {
        let registry = registry(way);
        let images = [image(Platform::Amd64)];
        push_as(KNOWN, &format!("{}/web:1", registry.host), &images, &mut |_| {}).unwrap();
        let kept = registry.kept.lock().unwrap();
        let asked = kept.lines.iter().position(|line| line.starts_with("GET /token"));
        if way == Way::Bearer {
            let line = &kept.lines[asked.unwrap()];
            assert!(line.contains("service=s&scope=repository%3Aweb%3Apull%2Cpush Basic dTpw"), "{line}");
        } else {
            assert_eq!(asked, None);
        }
        let refused = kept.lines.iter().filter(|line| !line.ends_with(authorization) && !line.contains("/token"));
        assert_eq!(refused.count(), 1, "{:?}", kept.lines);
    }
}

#[test]
fn a_token_that_expires_during_a_push_is_replaced() {
    let registry = registry(Way::Expiring);
    let image = image(Platform::Amd64);
    push_as(KNOWN, &format!("{}/web:1", registry.host), std::slice::from_ref(&image), &mut |_| {}).unwrap();
    let kept = registry.kept.lock().unwrap();
    assert_eq!(kept.uploaded["/v2/web/manifests/1"], image.manifest.bytes);
    assert!(kept.lines.iter().filter(|line| line.starts_with("GET /token")).count() > 1, "{:?}", kept.lines);
}

#[test]
fn a_registry_that_refuses_is_one_error() {
    for (way, told) in [
        (Way::Basic, "no credential for `HOST` is configured"),
        (Way::Denied, "DENIED: not"),
        (Way::Rubbish, "the registry answers with 500"),
        (Way::NoLocation, "the response has no address for the upload"),
        (Way::UploadInClear, "the registry sends the upload to `http://data.example.com/upload?digest="),
        (Way::TokenInClear, "the registry requires a token from `http://tokens.example.com/token`, which is not https"),
    ] {
        let registry = registry(way);
        let reference = format!("{}/web:1", registry.host);
        let error = push_as(UNKNOWN, &reference, &[image(Platform::Amd64)], &mut |_| {}).unwrap_err();
        let told = told.replace("HOST", &registry.host);
        assert!(error.causes().iter().any(|cause| cause.contains(&told)), "{told}: {:?}", error.causes());
        let login = error.hint_text().is_some_and(|hint| hint.starts_with("docker login 127.0.0.1:"));
        assert_eq!(login, matches!(way, Way::Basic | Way::Denied), "{told}");
        if matches!(way, Way::Denied | Way::Rubbish) {
            assert!(error.message().starts_with("cannot push to `127.0.0.1:"), "{error}");
        }
    }
    let error = push_as(UNKNOWN, "127.0.0.1:1/web:1", &[image(Platform::Amd64)], &mut |_| {}).unwrap_err();
    assert_eq!(error.message(), "cannot reach the registry `127.0.0.1:1`");
}
