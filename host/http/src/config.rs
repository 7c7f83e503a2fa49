//! What the server is told: where it listens, who is welcome, and its bounds.

use std::{net::SocketAddr, time::Duration};

use crate::authority::{self, Authority};

/// Where the server listens and who is welcome. Start from [`Config::new`] and change what differs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// Where to listen. Port 0 takes a free one.
    pub address: SocketAddr,
    /// Names or addresses, beside the loopback ones and the server's own address, under which it may be addressed:
    /// `box.lan` (any port) or `box.lan:8080`.
    pub allow_hosts: Vec<String>,
    /// Origins beside its own whose pages may ask, as `https://chat.example` or `http://localhost:3000`.
    pub allow_origins: Vec<String>,
    /// Bearer tokens, of which every request must bear one. Each is a principal of its own: a session that was
    /// opened with one is not there for another. Without any, and if the address is not a loopback one, the
    /// server makes one up.
    pub tokens: Vec<String>,
    /// Its bounds.
    pub limits: Limits,
}

/// The bounds of a server. A client decides none of them.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of a request's body: 4 MiB, as for a line of stdio.
    pub body_bytes: usize,
    /// How long a body may take to arrive: 30 s.
    pub body_time: Duration,
    /// How long a head may take to arrive, and a connection be silent between two requests: 30 s.
    pub head_time: Duration,
    /// Connections at once; further ones wait: 1,024.
    pub connections: usize,
    /// Sessions of clients that open with `initialize`, on all paths together: 1,000.
    pub sessions: usize,
    /// Requests of one session that are answered at once: 256.
    pub requests: usize,
    /// How long a session lives of which nothing is heard and that has no open stream: 30 min.
    pub idle: Duration,
    /// The same for a session whose stream was closed by its client: 5 min.
    pub left: Duration,
    /// How long an answer is waited for before the response becomes an event stream: 1 s.
    pub patience: Duration,
    /// After what silence an event stream says that it lives: 15 s.
    pub keep_alive: Duration,
    /// How long answers under way are waited for when the server stops: 5 s.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: rea_front::MAX_MESSAGE_BYTES,
            body_time: Duration::from_secs(30),
            head_time: Duration::from_secs(30),
            connections: 1024,
            sessions: 1000,
            requests: 256,
            idle: Duration::from_secs(30 * 60),
            left: Duration::from_secs(5 * 60),
            patience: Duration::from_secs(1),
            keep_alive: Duration::from_secs(15),
            grace: Duration::from_secs(5),
        }
    }
}

/// A setting that makes no sense.
#[derive(Debug, thiserror::Error)]
#[error("{field} {value:?}: {detail}")]
pub struct ConfigError {
    /// The setting, as `--allow-origin`.
    pub field: &'static str,
    /// What it was.
    pub value: String,
    /// What it should have been.
    pub detail: &'static str,
}

impl Config {
    /// A server on this address that welcomes programs of this machine and its own page.
    pub fn new(address: SocketAddr) -> Self {
        Self {
            address,
            allow_hosts: Vec::new(),
            allow_origins: Vec::new(),
            tokens: Vec::new(),
            limits: Limits::default(),
        }
    }

    /// Reads an address as people type it: `8931`, `:8931`, `127.0.0.1:8931`, `[::1]:8931` or `localhost:8931`.
    /// A port alone, and `localhost`, mean 127.0.0.1.
    ///
    /// # Errors
    ///
    /// If it is none of these. Other names are not resolved: what they mean is not this program's to say.
    pub fn address(text: &str) -> Result<SocketAddr, ConfigError> {
        let port = |digits: &str| {
            digits
                .parse()
                .map(|port| SocketAddr::from(([127, 0, 0, 1], port)))
        };
        let alone = text.strip_prefix("localhost:").unwrap_or(text);
        let alone = alone.strip_prefix(':').unwrap_or(alone);
        port(alone)
            .or_else(|_| text.parse())
            .map_err(|_| wrong("--http", text, "expected PORT, ADDRESS:PORT or [IPV6]:PORT"))
    }

    pub(crate) fn check(&self) -> Result<(Vec<Authority>, Vec<String>), ConfigError> {
        let hosts = self.allow_hosts.iter().map(|host| {
            Authority::read(host).ok_or_else(|| {
                wrong(
                    "--allow-host",
                    host,
                    "expected a name or an address, with or without a port",
                )
            })
        });
        let origins = self.allow_origins.iter().map(|origin| {
            let text = origin.to_ascii_lowercase();
            match authority::origin(&text) {
                Some(_) => Ok(text),
                None => Err(wrong(
                    "--allow-origin",
                    origin,
                    "expected an origin as a browser sends it, such as http://localhost:3000, without a path",
                )),
            }
        });
        for token in &self.tokens {
            if token.len() < 16 || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
                return Err(wrong(
                    "token",
                    "(not shown)",
                    "expected at least 16 visible ASCII characters without blanks",
                ));
            }
        }
        Ok((
            hosts.collect::<Result<_, _>>()?,
            origins.collect::<Result<_, _>>()?,
        ))
    }
}

fn wrong(field: &'static str, value: &str, detail: &'static str) -> ConfigError {
    ConfigError {
        field,
        value: value.to_owned(),
        detail,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_as_people_type_it() {
        for text in ["8931", ":8931", "127.0.0.1:8931", "localhost:8931"] {
            assert_eq!(
                Config::address(text).unwrap(),
                "127.0.0.1:8931".parse().unwrap()
            );
        }
        assert!(Config::address("[::1]:0").unwrap().ip().is_loopback());
        for text in [
            "",
            "x",
            "127.0.0.1",
            "localhost",
            "box.lan:1",
            "99999",
            "localhost8931",
        ] {
            assert!(Config::address(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        let mut config = Config::new(Config::address("0").unwrap());
        config.allow_origins = vec!["http://chat.example".into(), "*".into()];
        let error = config.check().unwrap_err().to_string();
        assert!(
            error.contains("--allow-origin") && error.contains("\"*\""),
            "{error}"
        );
        for origin in ["null", "http://a/", "file://a", "a"] {
            config.allow_origins = vec![origin.into()];
            assert!(config.check().is_err(), "{origin}");
        }
        config.allow_origins.clear();
        config.tokens = vec!["short".into()];
        let error = config.check().unwrap_err().to_string();
        assert!(!error.contains("short"), "{error}");
    }
}
