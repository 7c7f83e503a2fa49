//! The switch and its state file.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use rea_host::{
    component::{
        Program,
        switch::{Agent, Change, Hosting, Movement, Naming, Policy, Settings, Switch, Toolset},
    },
    store::Store,
};

/// Tools of the reference server.
const TOOLS: usize = 207;

/// Policy calls in process, a flip with all its flushing, and how soon somebody else's flip is noticed.
pub(crate) async fn figures(row: fn(&str, &mut [Duration])) {
    let switch = opened().await;
    let mut times = sample(2000, async || {
        switch.estimate_tokens(1).await.unwrap();
    })
    .await;
    row("baseline: the smallest call of the switch", &mut times);
    let mut times = sample(2000, async || {
        let decision = switch.decision("a".into()).await.unwrap().unwrap();
        assert_eq!(decision.deny.len(), TOOLS);
    })
    .await;
    row(
        &format!("switch: decision, {TOOLS} names denied"),
        &mut times,
    );
    let mut times = sample(2000, async || {
        assert_eq!(switch.standing("a").unwrap().mask.len(), TOOLS)
    })
    .await;
    row("  the same from the host's side (each request)", &mut times);

    let documents = [
        document(&switch, Movement::On).await,
        document(&switch, Movement::Off).await,
    ];
    let mut turn = documents.iter().cycle();
    let mut times = sample(2000, async || {
        let adopted = switch.adopt(turn.next().unwrap().clone()).await.unwrap();
        assert_eq!(adopted.conversations.len(), 1);
    })
    .await;
    row(
        &format!("switch: adopt a flip, order for {TOOLS} names"),
        &mut times,
    );
    println!("  aim: at most 50 µs");

    let folder = tempfile::tempdir().unwrap();
    let (store, _) = Store::open(folder.path().join("s.json"), switch)
        .await
        .unwrap();
    let mut times = sample(200, async || {
        store.change(change(Movement::Flip)).await.unwrap();
    })
    .await;
    row("a flip: lock, read, write, flush, adopt", &mut times);
    let text = std::fs::read(store.path()).unwrap();
    let beside = folder.path().join("bare");
    let mut times = sample(200, async || {
        let bare = std::fs::File::create(&beside).unwrap();
        std::io::Write::write_all(&mut &bare, &text).unwrap();
        bare.sync_all().unwrap();
        std::fs::rename(&beside, folder.path().join("bare.json")).unwrap();
        std::fs::File::open(folder.path())
            .unwrap()
            .sync_all()
            .unwrap();
    })
    .await;
    row("  baseline: write, flush, rename, flush", &mut times);
}

async fn opened() -> Switch {
    let policy = Policy::start(Program::embedded()).unwrap();
    let settings = Settings {
        servers: vec!["rea".into()],
        default_enabled: false,
    };
    let hosting = Hosting {
        naming: Naming::Gateway,
        state_path: String::new(),
        command: "/rea".into(),
    };
    let switch = policy
        .open(settings, hosting, Arc::new(|_, _| {}))
        .await
        .unwrap();
    switch.adopt(None).await.unwrap();
    let names = (0..TOOLS)
        .map(|n| format!("rea__some_longer_tool_name_{n}"))
        .collect();
    let tools = Toolset {
        servers: Vec::new(),
        names,
        owned: Vec::new(),
        agents: Vec::new(),
    };
    switch.tools_changed(tools).await.unwrap();
    let agent = Agent {
        id: "a".into(),
        parent: None,
        origin: None,
        names: None,
        held: None,
    };
    switch.agents_seen(vec![agent]).await.unwrap();
    switch
}

fn change(to: Movement) -> Change {
    Change {
        session: "a".into(),
        to,
    }
}

async fn document(switch: &Switch, to: Movement) -> Option<Vec<u8>> {
    Some(
        switch
            .prepare_write(None, change(to))
            .await
            .unwrap()
            .document,
    )
}

async fn sample(count: usize, mut call: impl AsyncFnMut()) -> Vec<Duration> {
    let mut times = Vec::new();
    for _ in 0..count {
        let begin = Instant::now();
        call().await;
        times.push(begin.elapsed());
    }
    times
}
