//! The network of the node: a link from this machine to the node's network namespace, and a route through the link.
//! The kernel removes the link and the route together with the namespace.

use super::commands::run;
use crate::envtest::node_addresses::{ALL, HOST, NODE};
use crate::{Error, Result};
use std::path::Path;

const LINK: &str = "opctl-node";

/// Fails if another route of this machine uses the node's addresses.
pub(super) fn check() -> Result<()> {
    let used = run("ip", &["-4", "route", "show", "to", "root", ALL])?;
    // A link of a node that has just ended goes in a moment.
    let mut others = used.lines().filter(|line| !line.starts_with("default") && !line.contains(LINK));
    match others.next() {
        None => Ok(()),
        Some(route) => Err(Error::environment(format!("the addresses `{ALL}` of the node are in use"))
            .caused_by(format!(
                "this machine has a route that overlaps with the addresses of the node: `{}`",
                route.trim()
            ))
            .hint("opctl envtest start --simulate-nodes    # without containers")),
    }
}

/// Removes the link to the node at once. Without this call, the kernel would remove the link later, together with the
/// node's namespaces.
pub(super) fn disconnect() {
    if Path::new("/sys/class/net").join(LINK).exists() {
        // It may have gone meanwhile.
        let _ = run("ip", &["link", "delete", LINK]);
    }
}

/// Links this machine to the network namespace of the process `init`.
pub(super) fn connect(init: u32) -> Result<()> {
    let (init, host, node) = (init.to_string(), format!("{HOST}/30"), format!("{NODE}/30"));
    let (gateway, way) = (HOST.to_string(), NODE.to_string());
    disconnect();
    run("ip", &["link", "add", LINK, "type", "veth", "peer", "name", "eth0", "netns", &init])?;
    run("ip", &["address", "add", &host, "dev", LINK])?;
    run("ip", &["link", "set", LINK, "up"])?;
    run("ip", &["route", "add", ALL, "via", &way])?;
    let inside = |arguments: &[&str]| {
        let all: Vec<_> = ["-t", &init, "-n", "ip"].iter().chain(arguments).copied().collect();
        run("nsenter", &all)
    };
    inside(&["address", "add", &node, "dev", "eth0"])?;
    inside(&["link", "set", "eth0", "up"])?;
    inside(&["route", "add", "default", "via", &gateway]).map(drop)
}
