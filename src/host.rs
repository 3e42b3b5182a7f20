//! Checks whether the host in an address is the local machine.

use std::net::IpAddr;

/// Returns true if `host`, with or without a port, is the local machine.
pub fn is_this_machine(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if !name.ends_with(':') && port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    address.map_or(name.eq_ignore_ascii_case("localhost"), |address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::is_this_machine;

    #[test]
    fn this_machine_is_localhost_or_a_loopback_address() {
        for host in ["localhost", "LOCALHOST:80", "127.0.0.1", "127.1.2.3:5000", "[::1]", "[::1]:5000", "::1"] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in ["", "example.com", "127.0.0.1.example.com", "localhost.example.com:80", "10.0.0.1", "[fe80::1]:1"]
        {
            assert!(!is_this_machine(host), "{host}");
        }
    }
}
