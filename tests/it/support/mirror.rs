//! A mirror of Kubernetes' downloads on this machine, with small files.

use super::web::{Request, Web};
use flate2::Compression;
use flate2::write::GzEncoder;
use opctl::test_api::envtest::platform;
use sha2::{Digest, Sha256, Sha512};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The size in bytes of each program that is not in an archive.
const PROGRAM: usize = 600_000;

/// A fault in the way a mirror serves a file.
#[derive(Clone, Debug)]
pub(crate) enum Trouble {
    /// The file is missing.
    Missing,
    /// The connection ends after this number of bytes.
    Cut(usize),
    /// The server sends nothing more after this number of bytes.
    Stalls(usize),
    /// The server pauses after this number of bytes, and then sends the remaining bytes.
    Pauses(usize),
    /// The server sends the whole file even if only a part is requested.
    Whole,
    /// The server sends another part of the file than the requested one.
    OtherPart,
    /// The body never ends.
    Endless,
    /// The server sends this content instead of the file.
    Is(Vec<u8>),
    /// The server redirects to this URL.
    At(String),
}

/// A mirror of Kubernetes' downloads. A test can set faults of its files while it serves them.
pub(crate) struct Mirror {
    web: Web,
    troubles: Arc<Mutex<BTreeMap<String, Trouble>>>,
}

impl Mirror {
    /// Serves the files of these versions.
    pub(crate) fn serve(versions: &[&str]) -> Self {
        let files = published(versions, &platform());
        let troubles = Arc::<Mutex<BTreeMap<String, Trouble>>>::default();
        let known = Arc::clone(&troubles);
        let web = Web::answer(None, move |request, _, stream| {
            let trouble = known.lock().unwrap().get(&request.path).cloned();
            let Some(file) = files.get(request.path.trim_start_matches('/')) else { return missing(stream) };
            answer(request, file, trouble, stream)
        });
        Mirror { web, troubles }
    }

    /// Returns the mirror's URL.
    pub(crate) fn url(&self) -> String {
        self.web.url("")
    }

    /// Sets the fault of the file at `path` from now on.
    pub(crate) fn trouble(&self, path: &str, trouble: Trouble) {
        self.troubles.lock().unwrap().insert(format!("/{path}"), trouble);
    }

    /// Removes the faults of all files.
    pub(crate) fn mend(&self) {
        self.troubles.lock().unwrap().clear();
    }

    /// Returns the position of the first requested byte in each request for the file at `path`.
    pub(crate) fn asked(&self, path: &str) -> Vec<u64> {
        let asked = self.web.asked().into_iter();
        asked.filter(|request| request.path == format!("/{path}")).map(|request| request.begin).collect()
    }

    /// Returns the number of requests.
    pub(crate) fn requests(&self) -> usize {
        self.web.asked().len()
    }

    /// Returns the path of the archive of a version on the mirror.
    pub(crate) fn archive(version: &str) -> String {
        format!("envtest-v{version}-{}.tar.gz", platform())
    }

    /// Returns the path of a program of a version on the mirror.
    pub(crate) fn program(version: &str, name: &str) -> String {
        program(version, &platform(), name)
    }
}

fn program(version: &str, platform: &str, name: &str) -> String {
    format!("release/v{version}/bin/{}/{name}", platform.replace('-', "/"))
}

/// Returns the files of a mirror with these versions, by path.
pub(crate) fn published(versions: &[&str], platform: &str) -> BTreeMap<String, Vec<u8>> {
    let (mut files, mut index) = (BTreeMap::new(), String::from("releases:\n"));
    for version in versions {
        let (archive, name) = (packed(), format!("envtest-v{version}-{platform}.tar.gz"));
        let _ = write!(index, "  v{version}:\n    {name}:\n      hash: {:x}\n", Sha512::digest(&archive));
        // Nothing is asked for there: the archives of a mirror are beside its index.
        index.push_str("      selfLink: http://127.0.0.1:1/archive\n");
        files.insert(name, archive);
        for name in ["kube-controller-manager", "kubelet", "kube-scheduler", "kube-proxy"] {
            let content = format!("{name} {version}\n").repeat(PROGRAM / 20).into_bytes();
            let path = program(version, platform, name);
            files.insert(format!("{path}.sha256"), format!("{:x}", Sha256::digest(&content)).into_bytes());
            files.insert(path, content);
        }
    }
    files.insert("envtest-releases.yaml".to_owned(), index.into_bytes());
    files
}

fn packed() -> Vec<u8> {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for name in ["etcd", "kube-apiserver", "kubectl"] {
        let mut header = tar::Header::new_gnu();
        header.set_size(name.len() as u64);
        header.set_mode(0o755);
        builder.append_data(&mut header, format!("controller-tools/envtest/{name}"), name.as_bytes()).unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap()
}

fn missing(stream: &mut dyn Write) -> std::io::Result<()> {
    stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
}

fn answer(request: &Request, file: &[u8], trouble: Option<Trouble>, stream: &mut dyn Write) -> std::io::Result<()> {
    let begin = usize::try_from(request.begin).unwrap();
    if begin > file.len() {
        return stream.write_all(b"HTTP/1.1 416 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    }
    let part = |from: usize, stream: &mut dyn Write| {
        let (total, last) = (file.len(), file.len() - 1);
        let status = match request.begin {
            0 => "200 OK".to_owned(),
            _ => format!("206 Partial Content\r\nContent-Range: bytes {from}-{last}/{total}"),
        };
        write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", total - from)
    };
    let rest = &file[begin..];
    match trouble {
        None => {
            part(begin, stream)?;
            stream.write_all(rest)
        }
        Some(Trouble::Missing) => missing(stream),
        Some(Trouble::Cut(bytes)) => {
            part(begin, stream)?;
            stream.write_all(&rest[..bytes.min(rest.len())])
        }
        Some(Trouble::Stalls(bytes)) => {
            part(begin, stream)?;
            stream.write_all(&rest[..bytes.min(rest.len())])?;
            thread::sleep(Duration::from_secs(120));
            Ok(())
        }
        Some(Trouble::Pauses(bytes)) => {
            part(begin, stream)?;
            stream.write_all(&rest[..bytes.min(rest.len())])?;
            thread::sleep(Duration::from_millis(700));
            stream.write_all(&rest[bytes.min(rest.len())..])
        }
        Some(Trouble::OtherPart) if begin > 0 => {
            part(begin - 1, stream)?;
            stream.write_all(&file[begin - 1..])
        }
        Some(Trouble::Whole | Trouble::OtherPart) => Web::body(stream, file),
        Some(Trouble::Endless) => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")?;
            loop {
                stream.write_all(&[b'0'; 16 * 1024])?;
            }
        }
        Some(Trouble::Is(other)) => Web::body(stream, &other),
        Some(Trouble::At(url)) => Web::redirect(stream, &url),
    }
}
