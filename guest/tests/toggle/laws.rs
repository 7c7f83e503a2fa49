//! Laws of the switch, on random input.

use std::collections::BTreeMap;

use crate::bed::{Bed, hosting, names, settings};
use proptest::prelude::*;
use rea_guide::toggle::{
    Change, Fence, Hosting, HttpStep, LONGEST_DOCUMENT, Movement, Naming, Orders, Request, Server,
    Switch, read_config,
};

fn movement() -> impl Strategy<Value = Movement> {
    prop_oneof![
        Just(Movement::On),
        Just(Movement::Off),
        Just(Movement::Flip)
    ]
}

/// Something that happens to a host.
#[derive(Clone, Debug)]
enum Event {
    Root(u8),
    SubAgent(u8, u8),
    Fork(u8, u8),
    Gone(u8),
    Tools(u8, u8, bool),
    OwnNames(u8, u8),
    Change(u8, Movement),
    FileGone,
    FileDamaged,
    Restart,
}

fn event() -> impl Strategy<Value = Event> {
    let id = 0..8_u8;
    prop_oneof![
        1 => id.clone().prop_map(Event::Root),
        4 => (id.clone(), id.clone()).prop_map(|(id, parent)| Event::SubAgent(id, parent)),
        1 => (id.clone(), id.clone()).prop_map(|(id, parent)| Event::Fork(id, parent)),
        1 => id.clone().prop_map(Event::Gone),
        3 => (0..4_u8, 0..3_u8, any::<bool>()).prop_map(|(rea, x, known)| Event::Tools(rea, x, known)),
        2 => (id.clone(), 0..4_u8).prop_map(|(id, count)| Event::OwnNames(id, count)),
        4 => (id, movement()).prop_map(|(id, to)| Event::Change(id, to)),
        1 => Just(Event::FileGone),
        1 => Just(Event::FileDamaged),
        1 => Just(Event::Restart),
    ]
}

fn happen(bed: &mut Bed, event: &Event) -> usize {
    let name = |id: &u8| format!("c{id}");
    match event {
        Event::Root(id) => bed.root(&name(id)),
        Event::SubAgent(id, parent) => bed.sub_agent(&name(id), &name(parent)),
        Event::Fork(id, parent) => bed.agent(&name(id), Some(&name(parent)), None),
        Event::Gone(id) => {
            bed.gone(&name(id));
            // What the host knows of it is all that a switch made anew would know.
            let orders = bed.switch.lineage_told(&bed.offline).unwrap();
            bed.carry_out(orders)
        }
        Event::Tools(rea, x, known) => {
            bed.tools = names("rea", (*rea).into())
                .chain(names("rea__x", (*x).into()))
                .chain(names("other", 1))
                .collect();
            bed.servers.clear();
            if *known {
                bed.servers.push(Server {
                    name: "rea__x".into(),
                    state: None,
                });
            }
            bed.tell_tools()
        }
        Event::OwnNames(id, count) => {
            if let Some(place) = bed.agents.get_mut(&name(id)) {
                place.own = (*count > 0).then(|| names("rea", (*count).into()).collect());
            }
            bed.tell_tools()
        }
        Event::Change(id, to) => bed.change(&name(id), *to).orders.agents.len(),
        Event::FileGone => {
            bed.file = None;
            bed.adopt().orders.agents.len()
        }
        Event::FileDamaged => {
            // What was known stands, and so it is written again.
            bed.file = Some(b"{\"version\": 1, ".to_vec());
            bed.change("repair", Movement::On).orders.agents.len()
        }
        Event::Restart => bed.restart(),
    }
}

/// So many cases. A failing input is printed; it goes into a test by hand, not into a file.
fn cases(number: u32) -> ProptestConfig {
    ProptestConfig {
        cases: number,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn whatever_happens_each_agent_is_shown_what_was_decided(
        default_enabled: bool,
        events in prop::collection::vec(event(), 0..60),
    ) {
        let mut bed = Bed::new(settings(&["rea", "ghidra"], default_enabled));
        for event in &events {
            let agents = bed.agents.len() + 1;
            let orders = happen(&mut bed, event);
            prop_assert!(orders <= agents, "one order an agent");
            bed.check();
            // The same told twice leaves nothing to do.
            prop_assert_eq!(bed.tell_tools(), 0);
            prop_assert_eq!(bed.adopt().orders, Orders::default());
        }
    }

    #[test]
    fn after_a_trap_a_new_switch_lands_on_the_same_decisions(
        default_enabled: bool,
        events in prop::collection::vec(event(), 0..60),
    ) {
        let mut bed = Bed::new(settings(&["rea"], default_enabled));
        for event in &events {
            happen(&mut bed, event);
        }
        let decisions = |bed: &Bed| -> Vec<_> {
            bed.agents.keys().map(|agent| bed.switch.decision(agent)).collect()
        };
        let before = decisions(&bed);
        let (list, summary) = (bed.switch.conversations(), bed.switch.summary());
        prop_assert_eq!(bed.restart(), 0);
        prop_assert_eq!(decisions(&bed), before);
        prop_assert_eq!(bed.switch.conversations(), list);
        prop_assert_eq!(bed.switch.summary(), summary);
    }

    #[test]
    fn t8_on_after_off_is_identity(
        events in prop::collection::vec(event(), 0..40),
        id in 0..8_u8,
    ) {
        let mut bed = Bed::new(settings(&["rea"], false));
        for event in &events {
            happen(&mut bed, event);
        }
        let id = format!("c{id}");
        bed.change(&id, Movement::On);
        let shown = |bed: &Bed| -> Vec<_> { bed.agents.keys().map(|agent| bed.shown(agent)).collect() };
        let before = shown(&bed);
        bed.change(&id, Movement::Off);
        bed.change(&id, Movement::On);
        prop_assert_eq!(shown(&bed), before);
    }

    #[test]
    fn p27_eight_writers_lose_nothing(
        changes in prop::collection::vec((0..8_usize, 0..20_u8, movement(), any::<bool>()), 1..120),
    ) {
        // Each has a memory of its own, as stale as it happens to be.
        let mut writers: Vec<Switch> = (0..8)
            .map(|_| Switch::open(settings(&["rea"], false), hosting()).unwrap())
            .collect();
        let mut file: Option<Vec<u8>> = None;
        let mut model: BTreeMap<String, (bool, u64)> = BTreeMap::new();
        for (revision, (writer, id, to, adopts)) in (1..).zip(changes) {
            let session = format!("c{id}");
            let before = model.get(&session).is_some_and(|(enabled, _)| *enabled);
            let enabled = match to {
                Movement::On => true,
                Movement::Off => false,
                Movement::Flip => !before,
            };
            model.insert(session.clone(), (enabled, revision));
            let written = writers[writer]
                .prepare_write(file.as_deref(), &Change { session, to })
                .unwrap();
            prop_assert_eq!(written.enabled, enabled);
            prop_assert!(written.damage.is_none());
            file = Some(written.document.into_bytes());
            if adopts {
                writers[writer].adopt(file.as_deref());
            }
        }
        for writer in &mut writers {
            writer.adopt(file.as_deref());
            let list: BTreeMap<String, (bool, u64)> = writer
                .conversations()
                .into_iter()
                .map(|entry| (entry.id, (entry.enabled, entry.revision.unwrap())))
                .collect();
            prop_assert_eq!(&list, &model);
        }
    }

    #[test]
    fn any_bytes_for_a_document_end_in_a_document_with_the_change(
        bytes in document(),
        id in "[a-z]{1,3}",
        to in movement(),
    ) {
        let switch = Switch::open(settings(&["rea"], false), hosting()).unwrap();
        let change = Change { session: id.clone(), to };
        let written = switch.prepare_write(Some(&bytes), &change).unwrap();
        let mut other = Switch::open(settings(&["rea"], false), hosting()).unwrap();
        let adopted = other.adopt(Some(written.document.as_bytes()));
        prop_assert_eq!(adopted.damage, None);
        let status = other.status(&id).unwrap();
        prop_assert!(status.known);
        prop_assert_eq!(status.enabled, written.enabled);
        // Written again it is the same but for the revisions: deterministic.
        let again = other.prepare_write(Some(&bytes), &change).unwrap();
        if written.damage.is_none() {
            prop_assert_eq!(again.document, written.document);
        }
    }

    #[test]
    fn any_id_is_remembered_or_refused(id in any::<String>()) {
        let mut switch = Switch::open(settings(&["rea"], false), hosting()).unwrap();
        let change = Change { session: id.clone(), to: Movement::On };
        match switch.prepare_write(None, &change) {
            Ok(written) => {
                let length = id.chars().count();
                prop_assert!((1..=256).contains(&length));
                prop_assert!(!id.chars().any(|c| c.is_control() || c.is_whitespace()));
                prop_assert_eq!(switch.adopt(Some(written.document.as_bytes())).conversations, vec![id]);
            }
            Err(problem) => {
                prop_assert_eq!(problem.field, "session");
                prop_assert!(switch.status(&id).is_err());
            }
        }
    }

    #[test]
    fn any_request_has_a_json_answer(
        method in prop_oneof![Just("GET".to_owned()), Just("POST".to_owned()), any::<String>()],
        query in prop::option::of(prop_oneof![any::<String>(), "(session=[%a-f0-9+&]{0,12}&?){1,2}"]),
        headers in prop::collection::vec(header(), 0..5),
        body in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..64),
            r#"\{"session":"?.{0,8}"?(,"enabled":(true|false|null|"x"))?\}"#.prop_map(String::into_bytes),
        ],
    ) {
        let switch = Switch::open(settings(&["rea"], false), hosting()).unwrap();
        let mut headers = headers;
        headers.push(("Host".into(), "localhost".into()));
        let request = Request { method, query, headers, body };
        let fence = Fence { hosts: vec!["box".into()], origins: vec!["https://a".into()] };
        let response = match switch.http(&request, &fence) {
            HttpStep::Response(response) => response,
            HttpStep::Change(change) => switch.http_answer(&change, None),
        };
        prop_assert!([200, 204, 400, 403, 405, 413, 415].contains(&response.status));
        if response.status != 204 {
            let body: serde_json::Value = serde_json::from_str(&response.body).unwrap();
            prop_assert_eq!(body.get("error").is_some(), response.status != 200);
        }
        for (name, value) in &response.headers {
            prop_assert_eq!(name, &name.to_ascii_lowercase());
            prop_assert!(!value.contains(['\r', '\n']));
        }
    }

    #[test]
    fn any_configuration_is_read_or_named(
        text in prop_oneof![
            any::<String>(),
            r#"\{"(server|servers|defaultEnabled|shared)":(\["?[a-z "]{0,6}"?\]|"[a-z ]{0,6}"|true|1|null)\}"#,
        ],
        known: bool,
    ) {
        let bridged = ["a".to_owned(), "b".to_owned()];
        let read = read_config(&text, Naming::Gateway, known.then_some(&bridged));
        if let Ok(read) = read {
            prop_assert!(!read.settings.servers.is_empty());
            let hosting = Hosting { naming: Naming::Gateway, ..hosting() };
            prop_assert!(Switch::open(read.settings, hosting).is_ok());
        }
    }

    #[test]
    fn any_command_is_one_or_gets_the_usage(session in any::<String>(), input in any::<String>()) {
        let switch = Switch::open(settings(&["rea"], false), hosting()).unwrap();
        let _ = switch.command(&session, &input);
    }
}

proptest! {
    // Each case writes a thousand times.
    #![proptest_config(cases(8))]

    #[test]
    fn t11_never_more_than_500_and_always_the_latest(ids in prop::collection::vec(0..700_u32, 600..1500)) {
        let mut switch = Switch::open(settings(&["rea"], false), hosting()).unwrap();
        let mut file: Option<Vec<u8>> = None;
        for chunk in ids.chunks(100) {
            for id in chunk {
                let change = Change { session: id.to_string(), to: Movement::On };
                let written = switch.prepare_write(file.as_deref(), &change).unwrap();
                file = Some(written.document.into_bytes());
            }
        }
        switch.adopt(file.as_deref());
        let mut latest: Vec<u32> = Vec::new();
        for id in ids.iter().rev() {
            if !latest.contains(id) && latest.len() < 500 {
                latest.push(*id);
            }
        }
        let kept: Vec<u32> = switch
            .conversations()
            .into_iter()
            .map(|entry| entry.id.parse().unwrap())
            .collect();
        prop_assert_eq!(kept, latest);
    }
}

fn header() -> impl Strategy<Value = (String, String)> {
    let name = prop_oneof![
        Just("origin"),
        Just("Content-Type"),
        Just("sec-fetch-site"),
        Just("content-encoding"),
        Just("host"),
    ];
    let value = prop_oneof![
        Just("application/json".to_owned()),
        Just("http://localhost".to_owned()),
        Just("https://a".to_owned()),
        Just("null".to_owned()),
        any::<String>(),
    ];
    (name, value).prop_map(|(name, value)| (name.to_owned(), value))
}

/// Documents: whole ones, ones of which a part is missing or another, and noise.
fn document() -> impl Strategy<Value = Vec<u8>> {
    let whole = prop::collection::btree_map("[a-z]{1,3}", (any::<bool>(), any::<u32>()), 0..6)
        .prop_map(|entries| {
            let entries: Vec<String> = entries
                .iter()
                .map(|(id, (enabled, revision))| {
                    format!(r#""{id}":{{"enabled":{enabled},"revision":{revision},"x":[1.0]}}"#)
                })
                .collect();
            format!(
                r#"{{"version":1,"revision":7,"conversations":{{{}}},"y":{{"b":1,"a":2}}}}"#,
                entries.join(",")
            )
            .into_bytes()
        });
    let changed = (whole.clone(), any::<prop::sample::Index>(), any::<u8>()).prop_map(
        |(mut bytes, at, byte)| {
            let at = at.index(bytes.len());
            bytes[at] = byte;
            bytes
        },
    );
    let cut = (whole.clone(), any::<prop::sample::Index>()).prop_map(|(mut bytes, at)| {
        bytes.truncate(at.index(bytes.len()));
        bytes
    });
    prop_oneof![
        whole,
        changed,
        cut,
        prop::collection::vec(any::<u8>(), 0..200),
        Just(vec![b' '; LONGEST_DOCUMENT + 1]),
    ]
}
