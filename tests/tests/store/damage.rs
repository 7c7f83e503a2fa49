//! A file that isn't as it should be.

use std::{fs, os::unix::fs::PermissionsExt};

use rea_host::component::switch::{DamageKind, Movement};

use crate::bed::{Bed, change, said};

const GOOD: &str = r#"{"version":1,"revision":2,"conversations":{"a":{"enabled":true,"revision":1},"b":{"enabled":true,"revision":2}}}"#;

#[test]
fn a_missing_an_empty_and_a_blank_file_are_no_damage() {
    for text in [None, Some(""), Some(" \n")] {
        let bed = Bed::new();
        if let Some(text) = text {
            fs::write(bed.state(), text).unwrap();
        }
        let output = bed.rea(&["on", "--conversation", "c"]);
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{}",
            said(&output)
        );
        assert_eq!(bed.names(), ["s.json"]);
        assert_eq!(bed.positions().len(), 1);
    }
}

#[test]
fn a_byte_order_mark_is_read_over() {
    let bed = Bed::new();
    fs::write(bed.state(), format!("\u{feff}{GOOD}")).unwrap();
    assert_eq!(bed.switch("off", "c"), "off");
    assert!(bed.positions()["a"].0);
    assert_eq!(bed.names(), ["s.json"]);
}

#[test]
fn a_damaged_file_is_kept_aside_byte_for_byte_and_never_over_another() {
    let bed = Bed::new();
    let large = vec![b' '; (4 << 20) + 5];
    let kinds: [&[u8]; 7] = [
        GOOD.get(..40).unwrap().as_bytes(),
        b"\xff\xfe{}",
        b"[1]",
        br#"{"version":2,"revision":1,"conversations":{}}"#,
        br#"{"version":1,"revision":1,"conversations":[]}"#,
        &large,
        b"\0\0\0\0",
    ];
    fs::write(bed.path("s.json.damaged-2"), "somebody's").unwrap();
    for bytes in kinds {
        fs::write(bed.state(), bytes).unwrap();
        let output = bed.rea(&["on", "--conversation", "c"]);
        assert!(output.status.success());
        let text = said(&output);
        assert!(
            text.contains("s.json is damaged") && text.contains("kept as"),
            "{text}"
        );
        let aside = text
            .lines()
            .last()
            .unwrap()
            .rsplit_once("kept as ")
            .unwrap()
            .1
            .to_owned();
        assert_eq!(fs::read(aside).unwrap(), bytes);
        assert_eq!(bed.positions().len(), 1);
    }
    assert_eq!(bed.names().len(), 1 + 1 + kinds.len());
    assert_eq!(
        fs::read(bed.path("s.json.damaged-2")).unwrap(),
        b"somebody's"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_knew_the_positions_loses_none_of_them() {
    let bed = Bed::new();
    fs::write(bed.state(), GOOD).unwrap();
    let (store, damage) = bed.store().await;
    assert!(damage.is_none());
    fs::write(bed.state(), "{\"version\":1,").unwrap();
    let adopted = store.refresh().await.unwrap().unwrap();
    assert_eq!(adopted.damage.unwrap().kind, DamageKind::Syntax);
    assert!(adopted.conversations.is_empty());
    let changed = store.change(change("c", Movement::On)).await.unwrap();
    let (damage, aside) = changed.damage.unwrap();
    assert_eq!(
        (damage.kind, fs::read_to_string(aside).unwrap().as_str()),
        (DamageKind::Syntax, "{\"version\":1,")
    );
    let positions = bed.positions();
    assert!(
        ["a", "b", "c"].iter().all(|id| positions[*id].0),
        "{positions:?}"
    );
}

#[test]
fn a_part_that_is_wrong_takes_the_rest_not_with_it() {
    let bed = Bed::new();
    fs::write(
        bed.state(),
        GOOD.replace(r#"{"enabled":true,"revision":2}"#, r#"{"enabled":"yes"}"#),
    )
    .unwrap();
    let output = bed.rea(&["status", "--conversation", "a"]);
    assert_eq!(output.stdout, b"on\n");
    assert!(
        said(&output).contains("conversations.b"),
        "{}",
        said(&output)
    );
    assert_eq!(bed.names(), ["s.json"], "looking changes nothing");
}

#[test]
fn a_link_stays_a_link_and_shares_the_lock_of_the_file() {
    let bed = Bed::new();
    fs::create_dir(bed.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink("elsewhere/real.json", bed.state()).unwrap();
    assert_eq!(bed.switch("on", "c"), "on");
    assert_eq!(bed.switch("toggle", "c"), "off");
    assert!(fs::symlink_metadata(bed.state()).unwrap().is_symlink());
    let real = bed.path("elsewhere/real.json");
    assert!(fs::symlink_metadata(&real).unwrap().is_file());
    assert_eq!(bed.positions()["c"], (false, 2));
    assert_eq!(bed.names(), ["elsewhere", "s.json"]);
    assert_eq!(fs::read_dir(bed.path("elsewhere")).unwrap().count(), 1);
    fs::remove_file(bed.state()).unwrap();
    std::os::unix::fs::symlink("s.json", bed.state()).unwrap();
    let output = bed.rea(&["on", "--conversation", "c"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("s.json"), "{}", said(&output));
}

#[test]
fn the_file_is_its_owners_alone_and_so_is_a_folder_that_was_made_for_it() {
    let bed = Bed::new();
    let home = bed.path("home/.dsh");
    let state = home.join("rea-toggle.json");
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let run = |umask: &str| {
        let program = rea_tests::program();
        std::process::Command::new("sh")
            .args([
                "-c",
                &format!("umask {umask}; exec \"$0\" toggle on --conversation c"),
                program.to_str().unwrap(),
            ])
            .env("DSH_HOME", " ")
            .env("HOME", bed.path("home"))
            .output()
            .unwrap()
    };
    let output = run("000");
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!((mode(&state), mode(&home)), (0o600, 0o700));
    fs::set_permissions(&state, fs::Permissions::from_mode(0o666)).unwrap();
    assert!(run("077").status.success());
    assert_eq!(mode(&state), 0o600);
}
