//! Files of several documents: each is chosen exactly, and thousands are no trouble.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

use std::{fs, path::Path, process::Command};

use rea_tests::{program, stdio::Server};
use serde_json::{Value, json};
use tempfile::TempDir;

fn open(path: &Path) -> Server {
    let mut server = Server::connect(&program(), &["mcp"]).unwrap();
    done(&mut server, "open_binary", json!({"path": path}));
    server
}

fn done(server: &mut Server, tool: &str, arguments: Value) -> Value {
    let (value, failed) = server.call(tool, arguments).unwrap();
    assert!(!failed, "{tool}: {value}");
    value["result"].clone()
}

fn run(folder: &Path, program: &str, arguments: &[&str]) {
    let mut command = Command::new(program);
    let built = command.current_dir(folder).args(arguments).status();
    assert!(built.unwrap().success(), "{program}");
}

/// An archive with one member for each of these contents, all called `m.o`.
fn archive(contents: &[&[u8]]) -> Vec<u8> {
    let mut bytes = b"!<arch>\n".to_vec();
    for content in contents {
        let size = content.len();
        bytes.extend(
            format!(
                "{:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n",
                "m.o/", 0, 0, 0, 644
            )
            .bytes(),
        );
        bytes.extend(*content);
        if size % 2 == 1 {
            bytes.push(b'\n');
        }
    }
    bytes
}

#[test]
fn a_member_is_chosen_by_its_name_and_its_names_are_shown_demangled() {
    let folder = TempDir::new().unwrap();
    let here = folder.path();
    let a = "int foo(int x) __asm__(\"_ZN3foo3barEi\"); int foo(int x) { return x; }";
    fs::write(here.join("a.c"), a).unwrap();
    fs::write(here.join("b.c"), "int plain(int x) { return x; }").unwrap();
    run(here, "cc", &["-c", "a.c", "b.c"]);
    run(here, "ar", &["rc", "t.a", "a.o", "b.o"]);
    let mut server = open(&here.join("t.a"));
    let listed = done(&mut server, "list_documents", json!({"limit": 1}));
    assert_eq!(
        (&listed["total"], &listed["next_offset"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(listed["documents"][0]["name"], "a.o");
    let asked = json!({"procedure": "_ZN3foo3barEi", "document": "a.o"});
    let found = done(&mut server, "procedure_address", asked);
    assert_eq!(found["names"][0]["text"], "_ZN3foo3barEi");
    assert_eq!(found["names"][0]["demangled"], "foo::bar(int)");
    assert_eq!(found["size_source"], "symbol");
    let rows = done(&mut server, "list_procedures", json!({"document": "a.o"}));
    assert_eq!(rows["procedures"][0]["demangled"], "foo::bar(int)");
    let rows = done(&mut server, "list_procedures", json!({"document": "b.o"}));
    assert_eq!(rows["procedures"][0].get("demangled"), None);

    let whole = done(&mut server, "inspect_binary_layout", json!({}));
    assert_eq!(whole["members"]["total"], 2);
    let members = json!({"part": "members"});
    let members = done(&mut server, "inspect_binary_layout", members);
    assert_eq!(members["members"][1]["document"], "b.o");
    let member = json!({"document": "b.o"});
    let member = done(&mut server, "inspect_binary_layout", member);
    assert_eq!(
        (&member["document"], &member["header"]["file_type"]),
        (&json!("b.o"), &json!("ET_REL"))
    );
    let none = json!({"part": "forwarders", "document": "b.o"});
    let none = done(&mut server, "inspect_binary_layout", none);
    assert_eq!(
        (&none["total"], &none["forwarders"]),
        (&json!(0), &json!([]))
    );
    for tool in ["inspect_binary_layout", "list_procedures"] {
        let (value, failed) = server.call(tool, json!({"document": "c.o"})).unwrap();
        assert!(failed, "{tool}: {value}");
        assert_eq!(value["error"]["code"], "unknown_document");
    }
}

#[test]
fn thousands_of_documents_are_listed_in_pages() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("many.a");
    fs::write(&path, archive(&vec![&b"x\n"[..]; 12_000])).unwrap();
    let mut server = open(&path);
    let last = json!({"offset": 11_999});
    let listed = done(&mut server, "list_documents", last);
    assert_eq!(listed["total"], 12_000);
    let rows = listed["documents"].as_array().unwrap();
    assert_eq!((rows.len(), listed.get("next_offset")), (1, None));
    assert!(rows[0]["name"].as_str().unwrap().starts_with("m.o#0x"));
    let completion = server
        .complete("investigate_feature", "document", "")
        .unwrap();
    assert_eq!(completion["total"], 10_000);
    let (status, _) = server.call("binary_session", json!({})).unwrap();
    assert_eq!(status["analysis"]["documents_total"], 12_000);
    assert!(status.to_string().len() < 48_000);
    let (refused, _) = server.call("list_procedures", json!({})).unwrap();
    assert_eq!(refused["error"]["total"], 12_000);
}
