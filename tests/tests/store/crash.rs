//! Killed at any moment, and what the killed leave.

use std::{
    fs,
    io::{BufRead, BufReader},
    process::Command,
    time::{Duration, Instant},
};

use rea_host::{
    component::switch::Movement,
    store::{Store, StoreError},
};

use crate::bed::{Bed, change, flipper, said, switch};

/// Processes that flip without a pause, killed one after the other in the midst of it.
#[test]
fn what_was_acknowledged_survives_kill_9_at_any_moment() {
    let bed = Bed::new();
    let mut acknowledged = std::collections::BTreeMap::new();
    let mut flips = 0;
    for round in 0..25_u32 {
        // Two at a time: the one that lives on must get past what the other leaves.
        let mut killed = flipper(&bed.state(), &format!("k{}", round % 5), usize::MAX >> 12);
        let mut out = BufReader::new(killed.stdout.take().unwrap());
        // Killed some microseconds after one of its first answers: every round elsewhere.
        let mut line = String::new();
        for _ in 0..=(round % 7) {
            line.clear();
            while !line.starts_with("done") {
                line.clear();
                assert_ne!(out.read_line(&mut line).unwrap(), 0);
            }
            note(&line, &mut acknowledged, &mut flips);
        }
        std::thread::sleep(Duration::from_micros(u64::from(round) * 311));
        killed.kill().unwrap();
        killed.wait().unwrap();
        for line in out.lines() {
            note(&line.unwrap(), &mut acknowledged, &mut flips);
        }
        let positions = bed.positions();
        for (id, enabled) in &acknowledged {
            assert_eq!(positions[id].0, *enabled, "{id} in round {round}");
        }
        let highest = positions
            .values()
            .map(|(_, revision)| *revision)
            .max()
            .unwrap();
        assert!(highest >= flips, "revision {highest} after {flips} changes");
    }
    // What they left is in nobody's way, and goes.
    assert_eq!(bed.switch("on", "after"), "on");
    let names = bed.names();
    assert!(
        names
            .iter()
            .all(|name| name == "s.json" || name.starts_with("s.json.lock-")),
        "{names:?}"
    );
}

/// An answer that was cut off is none.
fn note(line: &str, acknowledged: &mut std::collections::BTreeMap<String, bool>, flips: &mut u64) {
    let words: Vec<&str> = line.trim_end().split(' ').collect();
    match words[..] {
        ["done", own, enabled @ ("true" | "false")] => {
            acknowledged.insert(own.to_owned(), enabled == "true");
            *flips += 1;
        }
        ["done", "shared"] => *flips += 1,
        _ => {}
    }
}

/// As PROTOCOL.md has it, written by hand: so the page is tested too.
fn owner(pid: u32, start: &str, token: &str) -> String {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
    let namespace = fs::read_link("/proc/self/ns/pid").unwrap();
    let realm = format!("{}/{}", boot.trim(), namespace.display());
    serde_json::json!({"pid": pid, "start": start, "realm": realm, "token": token}).to_string()
        + "\n"
}

fn start_of(pid: u32) -> String {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    stat.rsplit_once(')')
        .unwrap()
        .1
        .split_whitespace()
        .nth(19)
        .unwrap()
        .to_owned()
}

#[test]
fn the_lock_of_a_dead_process_is_taken_over() {
    let bed = Bed::new();
    let mut child = Command::new("true").spawn().unwrap();
    let pid = child.id();
    child.wait().unwrap();
    let own = std::process::id();
    for (pid, start) in [
        (pid, "1".to_owned()),
        (own, start_of(own) + "0"),
        (1, "0".to_owned()),
    ] {
        fs::write(bed.path("s.json.lock"), owner(pid, &start, "abc")).unwrap();
        fs::write(bed.path("s.json.tmp"), "half a doc").unwrap();
        assert_eq!(bed.switch("on", "c"), "on");
        assert_eq!(bed.names(), ["s.json"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lock_of_a_live_process_is_waited_for_and_named() {
    let bed = Bed::new();
    let wait = Duration::from_millis(200);
    let (store, _) = Store::open_within(bed.state(), switch().await, wait)
        .await
        .unwrap();
    let own = std::process::id();
    fs::write(bed.path("s.json.lock"), owner(own, &start_of(own), "abc")).unwrap();
    let begin = Instant::now();
    let error = store.change(change("c", Movement::On)).await.unwrap_err();
    assert!(begin.elapsed() >= wait);
    let text = error.to_string();
    assert!(matches!(error, StoreError::Busy { .. }), "{text}");
    assert!(
        text.contains("s.json.lock") && text.contains(&format!("process {own}")),
        "{text}"
    );
    assert_eq!(
        bed.names(),
        ["s.json.lock"],
        "nothing changed, nothing left"
    );
    // It is released while somebody waits.
    let lock = bed.path("s.json.lock");
    let released = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        fs::remove_file(lock).unwrap();
    });
    store.change(change("c", Movement::On)).await.unwrap();
    released.join().unwrap();
}

#[test]
fn the_program_gives_up_with_code_1_and_the_name_of_the_lock() {
    let bed = Bed::new();
    let own = std::process::id();
    fs::write(bed.path("s.json.lock"), owner(own, &start_of(own), "abc")).unwrap();
    let output = bed.rea(&["on", "--conversation", "c"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("s.json.lock"), "{}", said(&output));
    // Looking needs no lock.
    assert_eq!(bed.switch("status", "c").split(' ').next(), Some("off"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_half_written_or_foreign_lock_is_waited_for_while_it_is_young() {
    let bed = Bed::new();
    let wait = Duration::from_millis(50);
    let (store, _) = Store::open_within(bed.state(), switch().await, wait)
        .await
        .unwrap();
    let foreign = owner(1, "1", "abc").replace("pid:[", "pid:[9");
    for text in ["", "{\"pid\":12", &foreign] {
        fs::write(bed.path("s.json.lock"), text).unwrap();
        let error = store.change(change("c", Movement::On)).await.unwrap_err();
        assert!(
            matches!(error, StoreError::Busy { .. }),
            "{text:?}: {error}"
        );
        assert_eq!(bed.names(), ["s.json.lock"]);
    }
}

/// `ctime` can't be set, so this one waits.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes half a minute; cargo test -- --ignored"]
async fn a_half_written_lock_is_taken_over_when_it_is_old() {
    let bed = Bed::new();
    let wait = Duration::from_secs(45);
    let (store, _) = Store::open_within(bed.state(), switch().await, wait)
        .await
        .unwrap();
    fs::write(bed.path("s.json.lock"), "{").unwrap();
    let begin = Instant::now();
    store.change(change("c", Movement::On)).await.unwrap();
    assert!(begin.elapsed() > Duration::from_secs(28));
    assert_eq!(bed.names(), ["s.json"]);
}
