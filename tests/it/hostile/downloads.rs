//! Downloads from web servers that send hostile indexes, archives and redirects.

use crate::support::{Place, Web, certificate, fails, text};
use flate2::Compression;
use flate2::write::GzEncoder;
use opctl::test_api::envtest::platform;
use sha2::{Digest, Sha512};
use std::fs;
use std::io::Read;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

fn setup(place: &Place, index: &str) -> Command {
    place.command(&["envtest", "setup", "1.30.7", "--index", index])
}

/// Returns an index with one archive, whose checksum is right for `archive`.
fn index(link: &str, archive: &[u8]) -> String {
    let sum = format!("{:x}", Sha512::digest(archive));
    let name = format!("envtest-v1.30.7-{}.tar.gz", platform());
    format!("releases:\n  v1.30.7:\n    {name}:\n      hash: {sum}\n      selfLink: {link}\n")
}

/// Returns an archive with one entry of `size` zeros.
fn zeros(kind: tar::EntryType, size: u64) -> Vec<u8> {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_path("controller-tools/envtest/etcd").unwrap();
    header.set_cksum();
    builder.append(&header, std::io::repeat(0).take(size)).unwrap();
    builder.into_inner().unwrap().finish().unwrap()
}

/// Checks that the local store contains no version of the servers that `opctl envtest` downloads, and no part of a
/// version.
#[track_caller]
fn nothing_is_kept(place: &Place) {
    let store = place.root().parent().unwrap().join("home/data/kubebuilder-envtest");
    let names = fs::read_dir(&store).into_iter().flatten().map(|entry| entry.unwrap().file_name());
    let names: Vec<_> = names.filter(|name| name != "k8s" && name != "opctl.lock").collect();
    assert_eq!(names, [""; 0]);
    assert_eq!(fs::read_dir(store.join("k8s")).into_iter().flatten().count(), 0);
}

#[test]
fn an_endless_index_is_refused() {
    let web = Web::serve(None, |_, _, stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nreleases:\n")?;
        loop {
            stream.write_all(&[b'#'; 16 * 1024])?;
        }
    });
    let place = Place::new();
    fails(&mut setup(&place, &web.url("/index.yaml")), 4, "/index.yaml` is larger than 8 MB");
    nothing_is_kept(&place);
}

#[test]
fn an_archive_that_is_larger_than_any_is_refused() {
    let web = Web::serve(None, |path, base, stream| {
        if path == "/index.yaml" {
            return Web::body(stream, index(&format!("{base}/archive"), b"").as_bytes());
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 6000000000\r\nConnection: close\r\n\r\n")?;
        loop {
            stream.write_all(&[0; 16 * 1024])?;
        }
    });
    let place = Place::new();
    fails(&mut setup(&place, &web.url("/index.yaml")), 4, "/archive` is larger than 400 MB");
    nothing_is_kept(&place);
}

/// Checks that an archive is refused if it unpacks to more than the limit, even if the excess is a long file name in
/// the archive. Some readers keep such a name in memory.
#[test]
fn an_archive_that_unpacks_to_more_than_any_is_refused() {
    let bomb = zeros(tar::EntryType::GNULongName, 1_100_000_000);
    assert!(bomb.len() < 50_000_000, "{}", bomb.len());
    let web = Web::serve(None, move |path, base, stream| match path {
        "/index.yaml" => Web::body(stream, index(&format!("{base}/archive"), &bomb).as_bytes()),
        _ => Web::body(stream, &bomb),
    });
    let place = Place::new();
    let output = setup(&place, &web.url("/index.yaml")).output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains(".tar.gz` cannot be unpacked\n"), "{said}");
    assert!(
        said.contains("caused by: the archive unpacks to more than 1000 MB, the limit for an archive of servers\n"),
        "{said}"
    );
    nothing_is_kept(&place);
}

#[test]
fn a_server_that_sends_a_byte_a_second_is_given_up() {
    let web = Web::serve(None, |_, _, stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nreleases:\n")?;
        loop {
            stream.write_all(b"#")?;
            thread::sleep(Duration::from_secs(1));
        }
    });
    let (place, begun) = (Place::new(), Instant::now());
    let output = setup(&place, &web.url("/index.yaml")).output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(
        said.contains("/index.yaml` cannot be fetched\ncaused by: the server sends fewer than 10000 bytes in 10s\n"),
        "{said}"
    );
    assert!(begun.elapsed() < Duration::from_secs(40), "{:?}", begun.elapsed());
}

#[test]
fn no_redirect_leads_from_https_to_http() {
    let plain = Web::serve(None, |_, base, stream| Web::body(stream, index(base, b"").as_bytes()));
    let to = plain.url("/index.yaml");
    let (authority, serving) = certificate();
    let secure = Web::serve(Some(serving), move |_, _, stream| Web::redirect(stream, &to));
    let place = Place::new();
    fs::write(place.root().join("authority.pem"), authority).unwrap();
    for more in [&[][..], &["--allow-http"]] {
        let mut command = setup(&place, &secure.url("/index.yaml"));
        command.args(more).env("SSL_CERT_FILE", place.root().join("authority.pem"));
        fails(&mut command, 4, &format!("redirects to `{}`", plain.url("/index.yaml")));
    }
    assert_eq!(secure.requests().len(), 2);
    assert_eq!(plain.requests(), [""; 0], "nothing is asked by http");
}

/// opctl requests `http` URLs of other machines only with `--allow-http`. Only loopback addresses count as
/// addresses of this machine.
#[test]
fn http_to_other_machines_is_for_those_who_ask() {
    let web = Web::serve(None, |path, base, stream| {
        let elsewhere = base.replace("127.0.0.1", "0.0.0.0");
        match path {
            "/here.yaml" => Web::body(stream, index(&format!("{elsewhere}/archive"), b"").as_bytes()),
            "/leads.yaml" => Web::redirect(stream, &format!("{elsewhere}/elsewhere.yaml")),
            "/elsewhere.yaml" => Web::body(stream, b"releases: {}\n"),
            _ => Web::body(stream, b"what has another checksum"),
        }
    });
    let (place, elsewhere) = (Place::new(), web.url("/elsewhere.yaml").replace("127.0.0.1", "0.0.0.0"));
    fails(&mut setup(&place, &elsewhere), 4, "/elsewhere.yaml` is not an https URL");
    assert_eq!(web.requests(), [""; 0], "nothing is asked");
    fails(setup(&place, &elsewhere).arg("--allow-http"), 4, "no archive of Kubernetes `1.30.7` is published");

    fails(&mut setup(&place, &web.url("/leads.yaml")), 4, "/leads.yaml` redirects to `http://0.0.0.0:");
    fails(&mut setup(&place, &web.url("/here.yaml")), 4, "/archive` is not an https URL");
    assert!(!web.requests().contains(&"/archive".to_owned()), "the archive is not asked for");
    fails(setup(&place, &web.url("/here.yaml")).arg("--allow-http"), 4, "the checksum of `envtest-v1.30.7-");
    fails(&mut setup(&place, "file:///etc/passwd"), 4, "`file:///etc/passwd` is not an https URL");
    nothing_is_kept(&place);
}

#[test]
fn redirects_end() {
    let web = Web::serve(None, |path, base, stream| Web::redirect(stream, &format!("{base}{path}x")));
    let place = Place::new();
    let output = setup(&place, &web.url("/i")).output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("/i` cannot be fetched\ncaused by: the server redirects more than 5 times\n"), "{said}");
    assert!(web.requests().len() < 10, "{:?}", web.requests());
}

#[test]
fn a_document_that_is_no_index_is_refused_in_plain_words() {
    let entries: Vec<String> = (0..60_000).map(|number| format!("b{number}: {{hash: h, selfLink: l}}")).collect();
    let bomb = format!("releases: {{a: {{{}}}}}", entries.join(", "));
    let web = Web::serve(None, move |path, _, stream| match path {
        "/page" => Web::body(stream, b"<html>no</html>"),
        _ => Web::body(stream, bomb.as_bytes()),
    });
    let place = Place::new();
    for path in ["/page", "/bomb"] {
        let output = setup(&place, &web.url(path)).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{said}");
        assert!(said.contains(&format!("{path}` is not an index of envtest archives\ncaused by: line 1 ")), "{said}");
        assert!(!said.contains("budget") && !said.contains("{ "), "{said}");
    }
}
