//! Who may ask: a program on this machine, a page of this server, and who is declared welcome.
//!
//! A page of anyone's can make a browser send requests here, with a name of its own that resolves to this machine
//! (hence `Host` is checked) or without (hence `Origin` and `Sec-Fetch-Site` are).

use std::net::SocketAddr;

use axum::http::{HeaderMap, Uri, header};

use crate::{
    authority::{self, Authority},
    config::{Config, ConfigError},
    refusal::Refusal,
};

/// The fence, as the policy of `/rea-toggle/state` wants to be told of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Welcome {
    /// Names or addresses beside the loopback ones, as `box.lan` or `box.lan:8080`; the server's own among them.
    pub hosts: Vec<String>,
    /// Origins beside its own.
    pub origins: Vec<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct Fence {
    hosts: Vec<Authority>,
    origins: Vec<String>,
}

impl Fence {
    pub(crate) fn new(config: &Config) -> Result<Fence, ConfigError> {
        let (hosts, origins) = config.check()?;
        Ok(Fence { hosts, origins })
    }

    /// What is welcome on a connection that came in at this address.
    pub(crate) fn welcome(&self, local: SocketAddr) -> Welcome {
        let own = Authority::of(local);
        let hosts = self.hosts.iter().chain([&own]).map(Authority::to_string);
        Welcome {
            hosts: hosts.collect(),
            origins: self.origins.clone(),
        }
    }

    /// The foreign origin that asks, if one does and is welcome.
    ///
    /// `local` is the address at which the connection came in: an address is no name that somebody else could
    /// answer for.
    ///
    /// # Errors
    ///
    /// 403 for whoever is not welcome, 400 without a readable `Host`.
    pub(crate) fn pass(
        &self,
        uri: &Uri,
        headers: &HeaderMap,
        local: SocketAddr,
    ) -> Result<Option<String>, Refusal> {
        let host = self.host(uri, headers, local)?;
        let foreign = || {
            Refusal::forbidden(
                "foreign-origin",
                "origin",
                "pages of other origins may not ask here; --allow-origin declares one welcome",
            )
        };
        let origin = one(headers, header::ORIGIN.as_str()).map_err(|()| foreign())?;
        if let Some(origin) = origin {
            return match authority::origin(origin) {
                Some((_, of, default)) if of.is_same(&host, default) => Ok(None),
                Some(_) if self.declares(origin) => Ok(Some(origin.to_owned())),
                _ => Err(foreign()),
            };
        }
        match one(headers, "sec-fetch-site") {
            Ok(None) => Ok(None),
            Ok(Some(site)) if !site.eq_ignore_ascii_case("cross-site") => Ok(None),
            _ => Err(Refusal::forbidden(
                "foreign-origin",
                "sec-fetch-site",
                "pages of other sites may not ask here; to open the page, type its address",
            )),
        }
    }

    fn host(
        &self,
        uri: &Uri,
        headers: &HeaderMap,
        local: SocketAddr,
    ) -> Result<Authority, Refusal> {
        let text = match one(headers, header::HOST.as_str()) {
            Ok(Some(text)) => Some(text),
            Ok(None) => uri.authority().map(|authority| authority.as_str()),
            Err(()) => None,
        };
        let host = text.and_then(Authority::read);
        let own = Authority::of(local);
        match host {
            Some(host)
                if host.is_loopback()
                    || host.is_covered_by(&own)
                    || self
                        .hosts
                        .iter()
                        .any(|declared| host.is_covered_by(declared)) =>
            {
                Ok(host)
            }
            _ => Err(Refusal::forbidden(
                "foreign-host",
                "host",
                "this server isn't addressed by that name; use a loopback address, or --allow-host",
            )),
        }
    }

    fn declares(&self, origin: &str) -> bool {
        self.origins
            .iter()
            .any(|declared| declared.eq_ignore_ascii_case(origin))
    }
}

/// The one value of a header; fails if it is there twice or is no text.
pub(crate) fn one<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, ()> {
    let mut values = headers.get_all(name).iter();
    let Some(first) = values.next() else {
        return Ok(None);
    };
    match (first.to_str(), values.next()) {
        (Ok(text), None) => Ok(Some(text.trim())),
        _ => Err(()),
    }
}
