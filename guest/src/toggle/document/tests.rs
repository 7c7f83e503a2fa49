use super::super::damage::DamageKind;
use super::*;

fn changed(document: &mut Document, id: &str, to: Movement) -> bool {
    document.change(id, to, false)
}

fn whole(text: &str) -> Document {
    let read = read(Some(text.as_bytes()));
    assert_eq!(read.damage, None, "{text}");
    read.document.unwrap()
}

fn positions(document: &Document) -> Vec<(&str, bool, u64)> {
    document
        .entries()
        .map(|(id, entry)| (id, entry.enabled, entry.revision))
        .collect()
}

#[test]
fn what_isnt_there_or_is_blank_is_the_document_of_no_switch() {
    for text in [
        None,
        Some(""),
        Some(" \r\n\t"),
        Some("\u{feff}"),
        Some("\u{feff}\n"),
    ] {
        let read = read(text.map(str::as_bytes));
        assert_eq!(read.damage, None);
        assert_eq!(read.document.unwrap().len(), 0);
    }
}

#[test]
fn the_document_is_spelled_as_described() {
    let mut document = Document::default();
    assert_eq!(
        document.render(),
        "{\n  \"version\": 1,\n  \"revision\": 0,\n  \"conversations\": {}\n}\n"
    );
    assert!(changed(&mut document, "b", Movement::On));
    assert!(!changed(&mut document, "a\"\\", Movement::Off));
    assert!(!changed(&mut document, "b", Movement::Flip));
    assert_eq!(
        document.render(),
        "{\n  \"version\": 1,\n  \"revision\": 3,\n  \"conversations\": {\n    \
         \"a\\\"\\\\\": {\"enabled\": false, \"revision\": 2},\n    \
         \"b\": {\"enabled\": false, \"revision\": 3}\n  }\n}\n"
    );
    assert_eq!(whole(&document.render()).render(), document.render());
}

#[test]
fn fields_of_others_are_kept_as_they_are_spelled() {
    let text = r#"{"z": [1.50, 1e400, {"deep": "\u00e9\ud800"}], "version": 1, "conversations":
        {"a": {"note": {"b": 2, "a": 1}, "enabled": true, "revision": 4, "": null}}, "revision": 9, "a": "x"}"#;
    let mut document = whole(text);
    changed(&mut document, "a", Movement::Off);
    let text = document.render();
    assert_eq!(
        text,
        "{\n  \"version\": 1,\n  \"revision\": 10,\n  \"conversations\": {\n    \
         \"a\": {\"enabled\": false, \"revision\": 10, \"\": null, \"note\": {\"b\": 2, \"a\": 1}}\n  },\n  \
         \"a\": \"x\",\n  \"z\": [1.50, 1e400, {\"deep\": \"\\u00e9\\ud800\"}]\n}\n"
    );
    assert_eq!(whole(&text).render(), text);
}

#[test]
fn a_byte_order_mark_costs_no_position() {
    let text = "\u{feff}{\"version\":1,\"revision\":1,\"conversations\":{\"a\":{\"enabled\":true,\"revision\":1}}}";
    assert_eq!(positions(&whole(text)), [("a", true, 1)]);
}

#[test]
fn what_cant_be_read_says_why() {
    let long = " ".repeat(LONGEST_DOCUMENT + 1);
    let deep = format!("{{\"version\":1,\"conversations\":{}", "[".repeat(100_000));
    for (text, kind, field) in [
        (long.as_bytes(), DamageKind::Size, ""),
        (b"{\"version\": 1\xff}", DamageKind::Encoding, ""),
        (b"\0\0\0\0", DamageKind::Syntax, ""),
        (
            b"{\"version\": 1, \"conversations\": {\"a\": {\"ena",
            DamageKind::Syntax,
            "",
        ),
        (b"{\"version\": 1} x", DamageKind::Syntax, ""),
        (b"{'version': 1}", DamageKind::Syntax, ""),
        (deep.as_bytes(), DamageKind::Syntax, ""),
        (b"null", DamageKind::Shape, ""),
        (b"[1]", DamageKind::Shape, ""),
        (b"{\"version\": \"1\"}", DamageKind::Shape, "version"),
        (b"{\"version\": 1.0}", DamageKind::Shape, "version"),
        (
            b"{\"version\": 2, \"conversations\": []}",
            DamageKind::Version,
            "version",
        ),
        (b"{\"version\": 0}", DamageKind::Version, "version"),
        (
            b"{\"version\": 1, \"revision\": 0, \"conversations\": []}",
            DamageKind::Shape,
            "conversations",
        ),
    ] {
        let read = read(Some(text));
        let damage = read.damage.unwrap();
        assert_eq!((damage.kind, damage.field.as_str()), (kind, field));
        assert!(read.document.is_none());
    }
}

#[test]
fn what_can_be_read_of_a_damaged_document_is_read() {
    let cases = [
        (r#"{}"#, "version"),
        (r#"{"version":1}"#, "conversations"),
        (r#"{"version":1,"conversations":{}}"#, "revision"),
        (
            r#"{"version":1,"revision":-1,"conversations":{}}"#,
            "revision",
        ),
        (
            r#"{"version":1,"revision":9007199254740992,"conversations":{}}"#,
            "revision",
        ),
    ];
    for (text, field) in cases {
        let read = read(Some(text.as_bytes()));
        assert_eq!(read.damage.unwrap().field, field);
        assert_eq!(read.document.unwrap().len(), 0);
    }
    let one = |entry: &str| {
        let text = format!(
            r#"{{"version":1,"revision":5,"conversations":{{"good":{{"enabled":true,"revision":5}},{entry}}}}}"#
        );
        let read = read(Some(text.as_bytes()));
        let document = read.document.unwrap();
        assert_eq!(
            document.entry("good").map(|entry| entry.enabled),
            Some(true)
        );
        (read.damage.unwrap().field, document.len())
    };
    assert_eq!(one(r#""a":true"#), ("conversations.a".into(), 1));
    assert_eq!(one(r#""a":{}"#), ("conversations.a.enabled".into(), 1));
    assert_eq!(
        one(r#""a":{"enabled":1,"revision":1}"#),
        ("conversations.a.enabled".into(), 1)
    );
    assert_eq!(
        one(r#""a":{"enabled":true}"#),
        ("conversations.a.revision".into(), 2)
    );
    assert_eq!(
        one(r#""a":{"enabled":true,"revision":"3"}"#),
        ("conversations.a.revision".into(), 2)
    );
    assert_eq!(
        one(r#""":{"enabled":true,"revision":1}"#),
        ("conversations.".into(), 1)
    );
    assert_eq!(
        one(r#""a b":{"enabled":true,"revision":1}"#),
        ("conversations.a b".into(), 1)
    );
}

#[test]
fn p26_the_least_recently_changed_of_501_goes_and_switching_again_refreshes() {
    let mut document = Document::default();
    for number in 0..500 {
        changed(&mut document, &format!("c{number}"), Movement::On);
    }
    changed(&mut document, "c0", Movement::On);
    changed(&mut document, "new", Movement::On);
    assert_eq!(document.len(), MOST_CONVERSATIONS);
    assert!(
        document.entry("c0").is_some(),
        "switched again, to the same position"
    );
    assert!(document.entry("c1").is_none());
    assert!(document.entry("c2").is_some());
}

#[test]
fn a_longer_list_is_cut_when_it_is_read() {
    let entries: Vec<String> = (0..600)
        .map(|number| format!(r#""c{number:03}":{{"enabled":true,"revision":{number}}}"#))
        .collect();
    let text = format!(
        r#"{{"version":1,"revision":599,"conversations":{{{}}}}}"#,
        entries.join(",")
    );
    let document = whole(&text);
    assert_eq!(document.len(), MOST_CONVERSATIONS);
    assert!(document.entry("c099").is_none());
    assert!(document.entry("c100").is_some());
}

#[test]
fn revisions_start_anew_before_javascript_cant_count_them() {
    let text = format!(
        r#"{{"version":1,"revision":{LAST_REVISION},"conversations":{{
            "b":{{"enabled":true,"revision":7}},"a":{{"enabled":true,"revision":{LAST_REVISION}}}}}}}"#
    );
    let mut document = whole(&text);
    changed(&mut document, "c", Movement::On);
    assert_eq!(
        positions(&document),
        [("a", true, 2), ("b", true, 1), ("c", true, 3)]
    );
}

#[test]
fn gaps_of_a_damaged_document_are_filled_and_what_it_says_counts() {
    let mut known = Document::default();
    changed(&mut known, "lost", Movement::On);
    changed(&mut known, "there", Movement::On);
    let text = r#"{"version":1,"revision":1,"conversations":{"there":{"enabled":false},"x":{"enabled":true,"revision":1}}}"#;
    let mut document = read(Some(text.as_bytes())).document.unwrap();
    document.complete(&known);
    assert_eq!(
        positions(&document),
        [("lost", true, 1), ("there", false, 2), ("x", true, 1)]
    );
    assert_eq!(document.revision, 2);
}
