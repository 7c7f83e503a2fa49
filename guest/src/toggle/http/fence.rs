//! Who may ask: a program on this machine, a page of this server, and who is declared welcome.
//!
//! A page of anyone's can make a browser send requests here, with a name of its own that resolves to this machine
//! (hence `Host` is checked) or without (hence `Origin` and `Sec-Fetch-Site` are).

use std::net::{IpAddr, Ipv6Addr};

use super::answer::refuse;
use super::{Fence, Request, Response};

/// Fails with the response if the request isn't welcome. Gives the foreign origin that is.
pub(super) fn check(request: &Request, fence: &Fence) -> Result<Option<String>, Response> {
    let host = request
        .header("host")
        .ok()
        .flatten()
        .and_then(Authority::read)
        .filter(|host| host.is_loopback() || host.is_among(&fence.hosts))
        .ok_or_else(|| {
            refuse(
                403,
                "foreign-host",
                "host",
                "This server isn't addressed by that name; use a loopback address, or declare the name.",
            )
        })?;
    let foreign = || {
        refuse(
            403,
            "foreign-origin",
            "origin",
            "Pages of other origins may not use the switch, unless they are declared.",
        )
    };
    let origin = request.header("origin").map_err(|()| foreign())?;
    if let Some(origin) = origin
        && !is_own(origin, &host)
    {
        let declared = fence
            .origins
            .iter()
            .any(|declared| declared.eq_ignore_ascii_case(origin));
        return if declared && origin != "null" {
            Ok(Some(origin.to_owned()))
        } else {
            Err(foreign())
        };
    }
    let site = request.header("sec-fetch-site").map_err(|()| foreign())?;
    if site.is_some_and(|site| site.eq_ignore_ascii_case("cross-site")) {
        return Err(refuse(
            403,
            "foreign-origin",
            "sec-fetch-site",
            "Pages of other sites may not use the switch, unless they are declared.",
        ));
    }
    Ok(None)
}

/// Whether an origin is this server's own, as the request addresses it.
fn is_own(origin: &str, host: &Authority) -> bool {
    let Some((scheme, authority)) = origin.split_once("://") else {
        return false;
    };
    let default = if scheme.eq_ignore_ascii_case("http") {
        80
    } else if scheme.eq_ignore_ascii_case("https") {
        443
    } else {
        return false;
    };
    Authority::read(authority).is_some_and(|origin| {
        origin.name == host.name && origin.port.unwrap_or(default) == host.port.unwrap_or(default)
    })
}

/// A name or address and a port.
struct Authority {
    /// In lower case, without the dot at its end; an address in its shortest spelling.
    name: String,
    port: Option<u16>,
}

impl Authority {
    fn read(text: &str) -> Option<Authority> {
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

    fn is_loopback(&self) -> bool {
        let address = self.name.trim_start_matches('[').trim_end_matches(']');
        match address.parse::<IpAddr>() {
            Ok(IpAddr::V4(address)) => address.is_loopback(),
            Ok(IpAddr::V6(address)) => {
                address.is_loopback()
                    || address
                        .to_ipv4_mapped()
                        .is_some_and(|address| address.is_loopback())
            }
            Err(_) => self.name == "localhost" || self.name.ends_with(".localhost"),
        }
    }

    fn is_among(&self, declared: &[String]) -> bool {
        declared
            .iter()
            .filter_map(|declared| Authority::read(declared))
            .any(|declared| {
                declared.name == self.name
                    && (declared.port.is_none() || declared.port == self.port)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(headers: &[(&str, &str)]) -> Result<Option<String>, u16> {
        let request = Request {
            method: "GET".into(),
            headers: headers
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
            ..Request::default()
        };
        let fence = Fence {
            hosts: vec!["box.lan".into(), "10.0.0.5:8080".into(), "[fd00::1]".into()],
            origins: vec!["https://chat.example".into(), "null".into()],
        };
        check(&request, &fence).map_err(|response| response.status)
    }

    #[test]
    fn p28_loopback_in_any_spelling_and_declared_names_are_welcome() {
        for host in [
            "localhost",
            "LOCALHOST:3000",
            "localhost.:1",
            "app.localhost",
            "127.0.0.1:8080",
            "127.9.9.9",
            "[::1]:80",
            "[0:0:0:0:0:0:0:1]",
            "[::ffff:127.0.0.1]",
            "box.lan",
            "BOX.lan:99",
            "10.0.0.5:8080",
            "[fd00:0::1]:5",
        ] {
            assert_eq!(asked(&[("Host", host)]), Ok(None), "{host}");
        }
    }

    #[test]
    fn p28_foreign_and_malformed_hosts_are_refused() {
        for host in [
            "evil.example",
            "localhost.evil.example",
            "notlocalhost",
            "10.0.0.5",
            "10.0.0.5:80",
            "128.0.0.1",
            "[::2]",
            "::1",
            "",
            "localhost:x",
            "localhost:",
            "localhost:99999",
            "user@localhost",
            "local host",
            "[::1",
            "[::1]x",
        ] {
            assert_eq!(asked(&[("host", host)]), Err(403), "{host}");
        }
        assert_eq!(asked(&[]), Err(403));
        assert_eq!(
            asked(&[("host", "localhost"), ("Host", "localhost")]),
            Err(403)
        );
    }

    #[test]
    fn p28_origins_that_are_neither_own_nor_declared_are_refused() {
        let with = |origin| asked(&[("host", "localhost:3000"), ("origin", origin)]);
        assert_eq!(with("http://localhost:3000"), Ok(None));
        assert_eq!(with("HTTP://LOCALHOST:3000"), Ok(None));
        assert_eq!(
            with("https://chat.example"),
            Ok(Some("https://chat.example".into()))
        );
        for origin in [
            "null",
            "",
            "http://localhost",
            "http://localhost:3001",
            "http://127.0.0.1:3000",
            "http://evil.example",
            "https://chat.example.evil",
            "file://localhost:3000",
            "localhost:3000",
        ] {
            assert_eq!(with(origin), Err(403), "{origin}");
        }
        let own = asked(&[("host", "localhost"), ("origin", "http://localhost:80")]);
        assert_eq!(own, Ok(None));
        let twice = asked(&[
            ("host", "localhost"),
            ("origin", "http://localhost"),
            ("origin", "http://localhost"),
        ]);
        assert_eq!(twice, Err(403));
    }

    #[test]
    fn p28_requests_of_other_sites_are_refused_even_without_origin() {
        let with = |site| asked(&[("host", "localhost"), ("Sec-Fetch-Site", site)]);
        for site in ["same-origin", "same-site", "none"] {
            assert_eq!(with(site), Ok(None));
        }
        assert_eq!(with("cross-site"), Err(403));
        let declared = asked(&[
            ("host", "localhost"),
            ("origin", "https://chat.example"),
            ("sec-fetch-site", "cross-site"),
        ]);
        assert_eq!(declared, Ok(Some("https://chat.example".into())));
    }
}
