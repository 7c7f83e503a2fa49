//! The switch's routes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod support;

use support::{
    Bed,
    client::{get, post},
};

#[test]
fn a_position_is_read_set_and_flipped() {
    let bed = Bed::start();
    let to = bed.address;
    let state = || get("/rea-toggle/state?session=notes").send(to).json()["enabled"].clone();
    assert_eq!(state(), false);
    let flipped = post("/rea-toggle/state", r#"{"session":"notes"}"#)
        .send(to)
        .json();
    assert_eq!(flipped["enabled"], true);
    assert_eq!(state(), true);
    let set = post("/rea-toggle/state", r#"{"session":"notes","enabled":true}"#).send(to);
    assert_eq!(
        (set.status, set.header("cache-control")),
        (200, Some("no-store"))
    );
    let none = post("/rea-toggle/state", "{}").send(to);
    assert_eq!(
        (none.status, none.json()["error"]["field"].clone()),
        (400, "session".into())
    );
}

#[test]
fn a_body_beyond_the_policys_bound_is_the_policys_to_refuse() {
    let bed = Bed::start();
    for size in [(16 << 10) + 1, 1 << 20] {
        let large = post("/rea-toggle/state", vec![b' '; size]).send(bed.address);
        assert_eq!(large.status, 413);
        assert_eq!(large.json()["error"]["kind"], "too-much");
    }
}

#[test]
fn the_list_is_sent_once() {
    let bed = Bed::start();
    let list = get("/rea-toggle/conversations").send(bed.address);
    let tag = list.header("etag").unwrap().to_owned();
    let list = list.json();
    assert_eq!(list["conversations"].as_array().unwrap().len(), 3);
    assert_eq!(list["conversations"][2]["id"], "crash-in-parser");
    assert_eq!(list["serverStates"]["rea"], "connected");
    let again = get("/rea-toggle/conversations").with("if-none-match", &tag);
    assert_eq!(again.status(bed.address), 304);
    post("/rea-toggle/state", r#"{"session":"new"}"#).send(bed.address);
    assert_eq!(again.status(bed.address), 200);
}

#[test]
fn the_page_needs_nothing_from_elsewhere_and_allows_nothing() {
    let bed = Bed::start();
    let page = get("/").send(bed.address);
    let policy = page.header("content-security-policy").unwrap().to_owned();
    assert!(
        policy.starts_with("default-src 'none'") && !policy.contains("unsafe"),
        "{policy}"
    );
    let nonce = policy
        .split("'nonce-")
        .nth(1)
        .unwrap()
        .split('\'')
        .next()
        .unwrap()
        .to_owned();
    let text = page.text();
    assert!(text.contains(&format!("nonce=\"{nonce}\"")) && !text.contains("{{"));
    assert!(!text.contains("http://") && !text.contains("https://") && !text.contains(" onclick"));
    let other = get("/").send(bed.address);
    assert!(
        !other
            .header("content-security-policy")
            .unwrap()
            .contains(&nonce)
    );
    let pill = get("/rea-toggle/pill.js").send(bed.address);
    assert_eq!(
        pill.header("content-type"),
        Some("text/javascript; charset=utf-8")
    );
    assert_eq!(get("/").method("HEAD").status(bed.address), 200);
}
