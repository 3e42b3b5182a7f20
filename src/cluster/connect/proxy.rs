//! Decides if a proxy is used for the cluster, by the same rules as Go's programs, such as kubectl.
//!
//! The kube crate does not follow these rules: it uses the proxy of the environment for all servers, because it
//! compares `NO_PROXY` with the host of the proxy instead of the host of the server.

use crate::Error;
use kube::config::Kubeconfig;
use std::net::IpAddr;

/// Returns true if the kubeconfig itself names a proxy for the cluster of `context`. Such a proxy is always used.
pub fn is_stated(kubeconfig: &Kubeconfig, context: &str) -> bool {
    let named = kubeconfig.contexts.iter().find(|named| named.name == context);
    let cluster = named.and_then(|named| named.context.as_ref()).map(|context| &context.cluster);
    let mut clusters = kubeconfig.clusters.iter().filter(|named| Some(&named.name) == cluster);
    let url = clusters.next().and_then(|named| named.cluster.as_ref()?.proxy_url.as_ref());
    url.is_some_and(|url| !url.is_empty())
}

/// Returns true if `NO_PROXY` excludes `host` from the proxy that environment variables name.
pub fn is_bypassed(host: &str) -> bool {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let exceptions = variable("NO_PROXY").or_else(|| variable("no_proxy")).unwrap_or_default();
    matches(&exceptions, host)
}

/// Returns true if `host` matches one of the comma-separated `exceptions` of `NO_PROXY`, or is `localhost` or a
/// loopback address. Follows Go's rules (<https://pkg.go.dev/golang.org/x/net/http/httpproxy>), but does not support
/// exceptions with a port. An exception is `*`, an IP address, a range of addresses, or a name, which also covers its
/// subdomains; a name that begins with a dot covers only its subdomains.
fn matches(exceptions: &str, host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
    let address: Option<IpAddr> = host.parse().ok();
    if host == "localhost" || address.is_some_and(|address| address.is_loopback()) {
        return true;
    }
    exceptions.split(',').map(|exception| exception.trim().to_ascii_lowercase()).any(|exception| {
        if exception == "*" {
            return true;
        }
        if let (Some((network, length)), Some(address)) = (exception.split_once('/'), address) {
            return in_network(address, network, length);
        }
        let exception = exception.trim_start_matches('*');
        match exception.strip_prefix('.') {
            Some(_) => host.ends_with(exception),
            None => !exception.is_empty() && (host == exception || host.ends_with(&format!(".{exception}"))),
        }
    })
}

fn in_network(address: IpAddr, network: &str, length: &str) -> bool {
    let bits = |address: IpAddr| match address {
        IpAddr::V4(address) => (u128::from(address.to_bits()) << 96, 32),
        IpAddr::V6(address) => (address.to_bits(), 128),
    };
    let (Ok(network), Ok(length)) = (network.parse::<IpAddr>(), length.parse::<u32>()) else { return false };
    let ((address, width), (network, network_width)) = (bits(address), bits(network));
    // In Rust, a shift by the full width is an overflow, for which `checked_shr` returns `None`.
    let differ = (address ^ network).checked_shr(128 - length.min(128)).unwrap_or_default();
    width == network_width && length <= width && differ == 0
}

/// Returns the error for a proxy whose protocol opctl does not support.
pub fn unsupported_proxy_error(proxy: &http::Uri, server: &str) -> Error {
    Error::environment(format!("opctl cannot talk to `{server}` through a proxy"))
        .caused_by(format!(
            "opctl does not support the protocol of the proxy `{proxy}`, which comes from `proxy-url` \
                            in the kubeconfig or from `HTTPS_PROXY`"
        ))
        .hint(
            "if the server can be reached without the proxy, add its host name to NO_PROXY:\nexport \
             NO_PROXY=\"$NO_PROXY,HOST\"",
        )
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn exceptions_are_those_of_go() {
        for (exceptions, host, bypassed) in [
            ("", "127.0.0.1", true),
            ("", "localhost", true),
            ("", "[::1]", true),
            ("", "example.com", false),
            ("*", "example.com", true),
            ("example.com", "example.com", true),
            ("a, Example.com", "api.example.COM", true),
            (".example.com", "example.com", false),
            (".example.com", "api.example.com", true),
            ("*.example.com", "api.example.com", true),
            ("ample.com", "example.com", false),
            ("10.0.0.1", "10.0.0.1", true),
            ("10.0.0.0/8", "10.1.2.3", true),
            ("10.0.0.0/8", "11.1.2.3", false),
            ("0.0.0.0/0", "11.1.2.3", true),
            ("fd00::/8", "[fd12::1]", true),
            ("fd00::/8", "10.1.2.3", false),
            ("::/0", "10.1.2.3", false),
            ("10.0.0.0/x", "10.1.2.3", false),
        ] {
            assert_eq!(matches(exceptions, host), bypassed, "{exceptions:?} {host}");
        }
    }
}
