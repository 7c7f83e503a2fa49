//! Names and addresses with ports, as `Host` and `Origin` have them.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// A name or address, and a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Authority {
    /// In lower case, without a dot at its end; an IPv6 address in brackets and in its shortest spelling.
    name: String,
    port: Option<u16>,
}

impl Authority {
    /// Reads `name`, `name:port`, `[address]` or `[address]:port`; nothing else passes, white space included.
    pub(crate) fn read(text: &str) -> Option<Authority> {
        let (name, port) = match text.strip_prefix('[') {
            Some(rest) => {
                let (address, behind) = rest.split_once(']')?;
                let address: Ipv6Addr = address.parse().ok()?;
                let port = match behind {
                    "" => None,
                    behind => Some(behind.strip_prefix(':')?),
                };
                (format!("[{address}]"), port)
            }
            None => {
                let (name, port) = match text.split_once(':') {
                    Some((name, port)) => (name, Some(port)),
                    None => (text, None),
                };
                let name = name.strip_suffix('.').unwrap_or(name);
                let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_');
                if name.is_empty() || !name.bytes().all(plain) {
                    return None;
                }
                (name.to_ascii_lowercase(), port)
            }
        };
        let port = match port {
            None => None,
            Some(digits) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => {
                Some(digits.parse().ok()?)
            }
            Some(_) => return None,
        };
        Some(Authority { name, port })
    }

    /// That of a socket.
    pub(crate) fn of(address: SocketAddr) -> Authority {
        let name = match address.ip().to_canonical() {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("[{address}]"),
        };
        Authority {
            name,
            port: Some(address.port()),
        }
    }

    /// Whether it names this machine and cannot be made to name another one by whoever answers for names.
    pub(crate) fn is_loopback(&self) -> bool {
        let address = self.name.trim_start_matches('[').trim_end_matches(']');
        match address.parse::<IpAddr>() {
            Ok(address) => address.to_canonical().is_loopback(),
            Err(_) => self.name == "localhost" || self.name.ends_with(".localhost"),
        }
    }

    /// Whether a declared authority covers this one; one declared without a port covers all ports.
    pub(crate) fn is_covered_by(&self, declared: &Authority) -> bool {
        declared.name == self.name && (declared.port.is_none() || declared.port == self.port)
    }

    /// Whether both are the same where an absent port stands for this one.
    pub(crate) fn is_same(&self, other: &Authority, default: u16) -> bool {
        self.name == other.name && self.port.unwrap_or(default) == other.port.unwrap_or(default)
    }
}

impl std::fmt::Display for Authority {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.port {
            Some(port) => write!(f, "{}:{port}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// The scheme, the authority and the default port of an origin of the web; `None` if it is anything else, `null`
/// included.
pub(crate) fn origin(text: &str) -> Option<(String, Authority, u16)> {
    let (scheme, authority) = text.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let default = match scheme.as_str() {
        "http" => 80,
        "https" => 443,
        _ => return None,
    };
    Some((scheme, Authority::read(authority)?, default))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_has_many_spellings() {
        for host in [
            "localhost",
            "LOCALHOST:3000",
            "localhost.:1",
            "app.localhost",
            "127.9.9.9",
            "[::1]:80",
            "[0:0:0:0:0:0:0:1]",
            "[::ffff:127.0.0.1]",
        ] {
            assert!(Authority::read(host).unwrap().is_loopback(), "{host}");
        }
        for host in [
            "localhost.evil.example",
            "notlocalhost",
            "10.0.0.5",
            "[::2]",
        ] {
            assert!(!Authority::read(host).unwrap().is_loopback(), "{host}");
        }
    }

    #[test]
    fn what_is_no_authority_is_not_read() {
        for host in [
            "",
            "::1",
            "a b",
            "user@localhost",
            "localhost:",
            "localhost:x",
            "localhost:99999",
            "[::1",
            "[::1]x",
            "localhost/",
            "localhost#",
        ] {
            assert_eq!(Authority::read(host), None, "{host}");
        }
    }

    #[test]
    fn an_address_is_spelled_as_clients_spell_it() {
        let address = "[::ffff:10.0.0.5]:80".parse().unwrap();
        assert_eq!(Authority::of(address).to_string(), "10.0.0.5:80");
        let address = "[fd00::1]:80".parse().unwrap();
        assert_eq!(Authority::of(address).to_string(), "[fd00::1]:80");
    }
}
