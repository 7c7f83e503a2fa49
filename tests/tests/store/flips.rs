//! Many at once.

use std::{
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::Stdio,
};

use rea_host::{component::switch::Movement, store::Store};
use serde_json::Value;

use crate::bed::{Bed, FLIPPER, change, flipper, said, switch};

/// Not a test by itself: the process that `bed::flipper` starts. Each flip of `shared` is one of everybody's.
#[tokio::test(flavor = "multi_thread")]
async fn flipper_process() {
    let Ok(order) = std::env::var(FLIPPER) else {
        return;
    };
    let order: Value = serde_json::from_str(&order).unwrap();
    let name = order["name"].as_str().unwrap();
    let path = PathBuf::from(order["state"].as_str().unwrap());
    let (store, _) = Store::open(path, switch().await).await.unwrap();
    for number in 0..order["count"].as_u64().unwrap() {
        // Own ones again and again, of which the last position is known, and one of all.
        let own = format!("{name}-{}", number % 10);
        let to = if number / 10 % 2 == 0 {
            Movement::On
        } else {
            Movement::Off
        };
        let changed = store.change(change(&own, to)).await.unwrap();
        println!("done {own} {}", changed.enabled);
        store
            .change(change("shared", Movement::Flip))
            .await
            .unwrap();
        println!("done shared");
        std::io::stdout().flush().unwrap();
    }
}

#[test]
fn eight_processes_flipping_one_file_lose_nothing() {
    const EACH: usize = 25;
    let bed = Bed::new();
    let children: Vec<_> = (0..8)
        .map(|n| flipper(&bed.state(), &format!("p{n}"), EACH))
        .collect();
    let mut last = std::collections::BTreeMap::new();
    for mut child in children {
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            let line = line.unwrap();
            let words: Vec<&str> = line.split(' ').collect();
            if let ["done", own, enabled] = words[..] {
                last.insert(own.to_owned(), enabled == "true");
            }
        }
        assert!(child.wait().unwrap().success());
    }
    let positions = bed.positions();
    assert_eq!(last.len(), 80);
    for (id, enabled) in last {
        assert_eq!(positions[&id].0, enabled, "{id}");
    }
    // Each flip of this one counts: an even number of them ends where it began, and each change got a revision of its own.
    assert!(!positions["shared"].0);
    let highest = positions
        .values()
        .map(|(_, revision)| *revision)
        .max()
        .unwrap();
    assert_eq!(highest, 8 * 2 * EACH as u64);
    assert_eq!(bed.names(), ["s.json"]);
}

#[test]
fn eight_commands_at_once_lose_nothing() {
    let bed = Bed::new();
    let children: Vec<_> = (0..8)
        .map(|n| {
            let mut command = bed.command(&["toggle", "--conversation", &format!("c{n}")]);
            command
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        assert_eq!(output.stdout, b"on\n");
    }
    let positions = bed.positions();
    assert_eq!(positions.len(), 8);
    assert!(positions.values().all(|(enabled, _)| *enabled));
}

#[tokio::test(flavor = "multi_thread")]
async fn many_changes_of_one_process_at_once_are_all_made() {
    let bed = Bed::new();
    let (store, _) = bed.store().await;
    let changes: Vec<_> = (0..51)
        .map(|n| {
            let store = store.clone();
            tokio::spawn(async move {
                store
                    .change(change(&format!("c{}", n % 3), Movement::Flip))
                    .await
            })
        })
        .collect();
    for change in changes {
        change.await.unwrap().unwrap();
    }
    let positions = bed.positions();
    assert!(
        positions.values().all(|(enabled, _)| *enabled),
        "17 flips each: {positions:?}"
    );
    for session in ["c0", "c1", "c2"] {
        assert!(store.switch().status(session.into()).await.unwrap().enabled);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_goes_on_when_nobody_waits_for_it() {
    let bed = Bed::new();
    let (store, _) = bed.store().await;
    let begun = store.change(change("a", Movement::On));
    let _ = tokio::time::timeout(std::time::Duration::ZERO, begun).await;
    for _ in 0..200 {
        if store.switch().status("a".into()).await.unwrap().enabled {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert!(bed.positions()["a"].0);
    assert!(store.switch().status("a".into()).await.unwrap().enabled);
    assert_eq!(bed.names(), ["s.json"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn t11_the_501st_conversation_pushes_out_the_one_that_was_changed_least_recently() {
    let bed = Bed::new();
    let (store, _) = bed.store().await;
    for n in 0..500 {
        store
            .change(change(&format!("c{n}"), Movement::On))
            .await
            .unwrap();
    }
    store.change(change("c0", Movement::On)).await.unwrap();
    let changed = store.change(change("c500", Movement::On)).await.unwrap();
    assert_eq!(changed.conversations, ["c1", "c500"]);
    let positions = bed.positions();
    assert_eq!(positions.len(), 500);
    assert!(positions.contains_key("c0") && !positions.contains_key("c1"));
}

#[test]
fn odd_ids_are_ordinary_ids() {
    let bed = Bed::new();
    for id in [
        "__proto__",
        "constructor",
        "toString",
        "../../etc/passwd",
        "\u{1F600}",
        "\"",
        "-x",
    ] {
        let given = format!("--conversation={id}");
        let output = bed.rea(&["on", &given]);
        assert!(output.status.success(), "{id}: {}", said(&output));
        let output = bed.rea(&["status", &given, "--json"]);
        let status: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(
            (&status["session"], &status["enabled"], &status["known"]),
            (&id.into(), &true.into(), &true.into())
        );
    }
    assert_eq!(bed.positions().len(), 7);
    for id in ["", " ", "a b", "a\nb", &"x".repeat(257)] {
        let output = bed.rea(&["on", &format!("--conversation={id}")]);
        assert_eq!(output.status.code(), Some(2), "{id:?}: {}", said(&output));
    }
    assert_eq!(bed.positions().len(), 7);
}
