//! The page at `/` and the pill that other pages can embed. Both are the same for everybody and hold no data.

use axum::{
    Router,
    body::Body,
    http::{HeaderValue, Response, header},
    routing::get,
};

const PAGE: &str = include_str!("index.html");
const PILL: &str = include_str!("pill.js");

/// Stands in the page where the nonce of the response goes.
const NONCE: &str = "{{nonce}}";

pub(crate) fn routes() -> Router {
    Router::new()
        .route("/", get(|| async { page() }))
        .route("/rea-toggle/pill.js", get(|| async { pill() }))
}

fn page() -> Response<Body> {
    let nonce = uuid::Uuid::new_v4().simple().to_string();
    let mut response = served(PAGE.replace(NONCE, &nonce), "text/html; charset=utf-8");
    let policy = format!(
        "default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; \
         img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'"
    );
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
        let opener = header::HeaderName::from_static("cross-origin-opener-policy");
        headers.insert(opener, HeaderValue::from_static("same-origin"));
    }
    response
}

fn pill() -> Response<Body> {
    let mut response = served(PILL.to_owned(), "text/javascript; charset=utf-8");
    let cache = HeaderValue::from_static("no-cache");
    response.headers_mut().insert(header::CACHE_CONTROL, cache);
    response
}

fn served(text: String, kind: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
