//! Somebody else changes the file.

use std::{
    fs,
    sync::{Arc, mpsc},
    time::{Duration, Instant},
};

use rea_host::{
    component::switch::{Agent, DamageKind, Movement},
    store::News,
};

use crate::bed::{Bed, change};

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_somebody_else_is_noticed_within_a_second() {
    let bed = Bed::new();
    let (store, _) = bed.store().await;
    let seen = Agent {
        id: "c".into(),
        parent: None,
        origin: None,
        names: None,
        held: None,
    };
    store.switch().agents_seen(vec![seen]).await.unwrap();
    let (other, _) = bed.store().await;
    let (tell, told) = mpsc::channel();
    let _watching = store.watch(Arc::new(move |news| tell.send(news).unwrap()));
    for enabled in [true, false, true] {
        let to = if enabled { Movement::On } else { Movement::Off };
        other.change(change("c", to)).await.unwrap();
        let begin = Instant::now();
        let news = told.recv_timeout(5 * SECOND).unwrap();
        assert!(begin.elapsed() < SECOND, "{:?}", begin.elapsed());
        assert!(matches!(news, News::Changed(conversations) if conversations == ["c"]));
        assert_eq!(store.switch().standing("c").unwrap().enabled, enabled);
    }
    // One's own changes are no news.
    store.change(change("c", Movement::Off)).await.unwrap();
    assert!(told.recv_timeout(SECOND).is_err());
    // The program, from another terminal.
    assert_eq!(bed.switch("on", "c"), "on");
    assert!(matches!(
        told.recv_timeout(SECOND).unwrap(),
        News::Changed(_)
    ));
    assert!(store.switch().standing("c").unwrap().enabled);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happens_to_the_file_is_said_once_and_positions_stand() {
    let bed = Bed::new();
    let (store, _) = bed.store().await;
    store.change(change("c", Movement::On)).await.unwrap();
    let (tell, told) = mpsc::channel();
    let _watching = store.watch(Arc::new(move |news| tell.send(news).unwrap()));
    let enabled = async |expected: bool| {
        assert_eq!(
            store.switch().status("c".into()).await.unwrap().enabled,
            expected
        );
    };

    fs::write(bed.state(), "{").unwrap();
    let news = told.recv_timeout(SECOND).unwrap();
    assert!(matches!(news, News::Damaged(damage) if damage.kind == DamageKind::Syntax));
    enabled(true).await;
    assert!(told.recv_timeout(SECOND).is_err());

    fs::remove_file(bed.state()).unwrap();
    fs::create_dir(bed.state()).unwrap();
    let mut news = told.recv_timeout(SECOND).unwrap();
    if let News::Changed(_) = news {
        // It looked in between, when there was no file.
        news = told.recv_timeout(SECOND).unwrap();
    } else {
        enabled(true).await;
    }
    assert!(
        matches!(&news, News::Unreadable(error) if error.to_string().contains("s.json")),
        "{news:?}"
    );
    assert!(told.recv_timeout(SECOND).is_err());

    fs::remove_dir(bed.state()).unwrap();
    // No file: no conversation was ever switched.
    for _ in 0..40 {
        if !store.switch().status("c".into()).await.unwrap().enabled {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    enabled(false).await;
}
