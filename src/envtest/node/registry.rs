//! A local image registry on this machine, from which the node pulls images.

use super::requirements::find;
use crate::envtest::limits::Limits;
use crate::envtest::node_addresses::HOST;
use crate::envtest::server::{Server, wait};
use crate::envtest::state::write_private;
use crate::error::hint;
use crate::{Error, Result};
use serde_json::json;
use std::fmt::Display;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::slice;

/// The names of the registry program <https://distribution.github.io/distribution> in Linux distributions.
const PROGRAMS: [&str; 3] = ["docker-registry", "registry", "docker-distribution"];

/// Fails if the registry program is not installed, or if `port` is in use.
pub(in crate::envtest) fn check(port: u16) -> Result<()> {
    if program().is_none() {
        return Err(Error::environment(format!("a registry needs `{}`, which this machine lacks", PROGRAMS[0])).hint(
            "on Debian: apt-get install docker-registry\nor load images without a registry: opctl envtest load IMAGE",
        ));
    }
    let other = port.checked_add(1).unwrap_or(5001);
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map(drop).map_err(|error| {
        Error::environment(format!("the registry cannot use port `{port}`"))
            .source(&error)
            .hint(hint!("opctl envtest start --node --registry={other}", other))
    })
}

/// Starts the registry as two processes with the same images, one for tools on this machine and one for the node,
/// because one process listens only at one address.
pub(in crate::envtest) fn start(directory: &Path, port: u16, limits: &Limits) -> Result<[Server; 2]> {
    let program = program().ok_or_else(|| Error::bug("the registry program no longer exists"))?;
    let begin = |name: &'static str, address: Ipv4Addr| {
        let file = directory.join(format!("{name}.yaml"));
        write_private(&file, &configuration(directory, (address, port).into()).to_string())?;
        Server::start(name, &program, &["serve".to_owned(), file.display().to_string()], directory)
    };
    let mut servers = [begin("registry", Ipv4Addr::LOCALHOST)?, begin("registry-of-node", HOST)?];
    for (server, address) in servers.iter_mut().zip([Ipv4Addr::LOCALHOST, HOST]) {
        wait(slice::from_mut(server), limits.start, || {
            TcpStream::connect((address, port)).map(drop).map_err(|error| error.to_string())
        })?;
    }
    Ok(servers)
}

/// Returns the host and the port of the registry on this machine as they are written in image names, such as
/// `localhost:5000`.
pub(in crate::envtest) fn host(port: u16) -> String {
    format!("localhost:{port}")
}

fn configuration(directory: &Path, address: SocketAddr) -> impl Display {
    // The format is YAML, of which JSON is a part.
    json!({
        "version": "0.1",
        "storage": {"filesystem": {"rootdirectory": directory.join("images")}, "delete": {"enabled": true}},
        "http": {"addr": address.to_string()},
    })
}

fn program() -> Option<PathBuf> {
    PROGRAMS.into_iter().find_map(find)
}
