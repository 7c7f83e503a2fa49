//! Bearer tokens, and who a request is from.

use std::net::{IpAddr, Ipv4Addr};

use axum::http::{HeaderMap, header};
use subtle::ConstantTimeEq as _;

use crate::{fence::one, refusal::Refusal};

/// Who a request is from, as far as that can be told. A session belongs to the principal that opened it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Principal {
    /// Which of the tokens it bore.
    token: Option<usize>,
    /// From where; all loopback addresses are one.
    from: IpAddr,
    /// The foreign page that asks, through a browser.
    origin: Option<String>,
}

impl Principal {
    pub(crate) fn new(token: Option<usize>, from: IpAddr, origin: Option<String>) -> Self {
        let from = from.to_canonical();
        let from = if from.is_loopback() {
            IpAddr::V4(Ipv4Addr::LOCALHOST)
        } else {
            from
        };
        Self {
            token,
            from,
            origin,
        }
    }

    /// The foreign page that asks, if one does.
    pub fn origin(&self) -> Option<&str> {
        self.origin.as_deref()
    }
}

#[derive(Clone)]
pub(crate) struct Tokens(Vec<String>);

impl Tokens {
    pub(crate) fn new(tokens: Vec<String>) -> Self {
        Self(tokens)
    }

    /// Which token a request bears; `None` where none is asked for.
    ///
    /// # Errors
    ///
    /// 401 where one is asked for and none of them is borne.
    pub(crate) fn admit(&self, headers: &HeaderMap) -> Result<Option<usize>, Refusal> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let given = one(headers, header::AUTHORIZATION.as_str())
            .ok()
            .flatten()
            .and_then(|text| text.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
            .map(|(_, token)| token.trim());
        let Some(given) = given else {
            return Err(Refusal::unauthorized("a bearer token is required"));
        };
        // All are compared, each in constant time: how long it takes tells nothing but lengths.
        let mut found = None;
        for (index, token) in self.0.iter().enumerate() {
            if bool::from(token.as_bytes().ct_eq(given.as_bytes())) {
                found = Some(index);
            }
        }
        found
            .map(Some)
            .ok_or_else(|| Refusal::unauthorized("this token is not known here"))
    }
}

/// A token of 244 random bits.
pub(crate) fn make_token() -> String {
    let half = || uuid::Uuid::new_v4().simple().to_string();
    half() + &half()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bearing(value: Option<&str>) -> Result<Option<usize>, u16> {
        let tokens = Tokens::new(vec!["a".repeat(20), "b".repeat(20)]);
        let mut headers = HeaderMap::new();
        if let Some(value) = value {
            headers.insert("authorization", value.parse().unwrap());
        }
        tokens.admit(&headers).map_err(|refusal| refusal.status())
    }

    #[test]
    fn only_a_known_token_is_let_in() {
        let (a, b) = ("a".repeat(20), "b".repeat(20));
        assert_eq!(bearing(Some(&format!("Bearer {a}"))), Ok(Some(0)));
        assert_eq!(bearing(Some(&format!("bearer  {b} "))), Ok(Some(1)));
        for value in [
            &a,
            &format!("Basic {a}"),
            &format!("Bearer {a}a"),
            "Bearer ",
            "Bearer",
        ] {
            assert_eq!(bearing(Some(value)), Err(401), "{value}");
        }
        assert_eq!(bearing(None), Err(401));
        assert_eq!(
            Tokens::new(Vec::new()).admit(&HeaderMap::new()).unwrap(),
            None
        );
    }

    #[test]
    fn all_loopback_addresses_are_one_principal() {
        let at = |text: &str| Principal::new(None, text.parse().unwrap(), None);
        assert_eq!(at("127.0.0.1"), at("::1"));
        assert_eq!(at("::ffff:10.0.0.1"), at("10.0.0.1"));
        assert_ne!(at("10.0.0.1"), at("10.0.0.2"));
        assert_ne!(make_token(), make_token());
    }
}
