//! What goes wrong with switches, pitfall by pitfall (P), and what is too much.

use std::collections::BTreeSet;

use crate::bed::{Bed, hosting, names, settings};
use rea_guide::toggle::{
    Agent, Ancestor, Change, DamageKind, Held, MOST_AGENTS, Movement, Orders, OwnedNames,
    ProblemKind, Server, Settings, Switch, Toolset,
};

/// The mask that the first order asks for.
fn mask(orders: &Orders) -> Option<Vec<String>> {
    orders.agents[0]
        .mask
        .map(|mask| orders.masks[mask as usize].to_vec())
}

fn section(server: &str) -> BTreeSet<String> {
    [format!("mcp:{server}")].into()
}

#[test]
fn p12_a_users_fork_is_a_conversation_of_its_own() {
    let mut bed = Bed::with_rea(3);
    bed.root("source");
    bed.change("source", Movement::On);
    bed.agent("fork", Some("source"), None);
    assert_eq!(bed.count("fork", "rea"), 0);
    bed.sub_agent("helper", "fork");
    bed.change("fork", Movement::On);
    bed.change("source", Movement::Off);
    assert_eq!(bed.count("fork", "rea"), 3);
    assert_eq!(bed.count("helper", "rea"), 3);
    assert_eq!(bed.count("source", "rea"), 0);
}

#[test]
fn p13_after_a_restart_an_orphan_resumes_with_the_position_of_its_conversation() {
    let mut bed = Bed::with_rea(3);
    bed.root("root");
    bed.change("root", Movement::On);
    let file = bed.file.clone();

    let mut bed = Bed::with_rea(3);
    bed.file = file;
    bed.adopt();
    assert_eq!(bed.sub_agent("child", "root"), 0);
    assert_eq!(bed.count("child", "rea"), 3);
    // Of a parent that nobody tells of, only the id is known.
    bed.sub_agent("grandchild", "middle");
    assert_eq!(bed.count("grandchild", "rea"), 0);
    let middle = Ancestor {
        id: "middle".into(),
        parent: Some("root".into()),
        origin: Some("subagent".into()),
    };
    let orders = bed.switch.lineage_told(&[middle]).unwrap();
    bed.carry_out(orders);
    assert_eq!(bed.count("grandchild", "rea"), 3);
}

#[test]
fn t15_p4_one_event_leads_to_a_bounded_number_of_operations() {
    let mut bed = Bed::with_rea(207);
    for number in 0..10 {
        bed.root(&format!("s{number}"));
    }
    bed.operations = 0;
    assert_eq!(bed.tell_tools(), 0, "the same again asks for nothing");
    // A tool more: each agent gets one new mask and loses one.
    bed.tools.insert("mcp__rea__new".into());
    assert_eq!(bed.tell_tools(), 10);
    assert_eq!(bed.operations, 20);
    // P2: and the new tool is out of reach.
    assert_eq!(bed.count("s0", "rea"), 0);
    // P5: what the operations themselves set off has nothing left to do.
    assert_eq!(bed.tell_tools(), 0);
    bed.check();
}

#[test]
fn p1_p3_a_server_that_goes_and_comes_back_costs_nothing() {
    let mut bed = Bed::with_rea(207);
    bed.root("s");
    let tools = bed.tools.clone();
    bed.operations = 0;
    bed.tools.retain(|name| !name.contains("__rea__"));
    assert_eq!(bed.tell_tools(), 0);
    bed.tools = tools;
    assert_eq!(bed.tell_tools(), 0);
    assert_eq!((bed.count("s", "rea"), bed.operations), (0, 0));
    bed.check();

    // With no tools there is no mask, and the section is shadowed all the same.
    let mut bed = Bed::new(settings(&["rea"], false));
    bed.root("s");
    let place = &bed.agents["s"];
    assert!(place.mask.is_empty());
    assert_eq!(place.shadows, section("rea"));
    bed.tools.extend(names("rea", 2));
    assert_eq!(bed.tell_tools(), 1);
    assert_eq!(bed.count("s", "rea"), 0);
}

#[test]
fn t16_p22_tools_of_other_servers_are_left_alone() {
    let mut bed = Bed::with_rea(3);
    bed.tools.extend(names("rea2", 2));
    bed.tools.extend(names("rea__x", 2));
    bed.servers = vec![Server {
        name: "rea__x".into(),
        state: None,
    }];
    bed.tell_tools();
    bed.root("s");
    assert_eq!(bed.count("s", "rea2"), 2);
    assert_eq!(bed.count("s", "rea__x"), 2);
    assert_eq!(bed.count("s", "other"), 2);
    assert_eq!(bed.switch.status("s").unwrap().tools, 3);
}

#[test]
fn t16_a_mask_that_would_hide_anothers_tool_is_replaced() {
    let owned = |server: &str| Toolset {
        owned: vec![OwnedNames {
            server: server.into(),
            names: vec!["open".into(), "close".into()],
        }],
        ..Toolset::default()
    };
    let mut switch = Switch::open(settings(&["rea"], false), hosting()).unwrap();
    switch.tools_changed(owned("rea")).unwrap();
    let agent = Agent {
        id: "s".into(),
        ..Agent::default()
    };
    let orders = switch.agents_seen(vec![agent]).unwrap();
    assert_eq!(mask(&orders), Some(vec!["close".into(), "open".into()]));
    let orders = switch.tools_changed(owned("other")).unwrap();
    assert_eq!(mask(&orders), Some(Vec::new()));
    assert_eq!(orders.agents[0].sections, None);
}

#[test]
fn p21_what_an_agent_has_of_its_own_is_neither_denied_nor_counted() {
    let mut bed = Bed::with_rea(3);
    bed.root("s");
    let mut own = bed.tools.clone();
    own.remove("mcp__rea__tool_1");
    own.insert("mcp__rea__preset".into());
    bed.agents.get_mut("s").unwrap().own = Some(own);
    // The mask named a tool that isn't deniable for this agent now. It is replaced because one is missing.
    assert_eq!(bed.tell_tools(), 1);
    let mask: Vec<&str> = bed.agents["s"].mask.iter().map(String::as_str).collect();
    assert_eq!(
        mask,
        ["mcp__rea__preset", "mcp__rea__tool_0", "mcp__rea__tool_2"]
    );
    bed.root("t");
    assert_eq!(bed.agents["t"].mask.len(), 3);
    assert_eq!(bed.switch.status("s").unwrap().tools, 4);
    assert_eq!(bed.switch.status("t").unwrap().tools, 3);
    bed.check();
}

#[test]
fn p16_what_failed_is_asked_for_again_at_the_next_event_and_not_before() {
    let mut bed = Bed::with_rea(3);
    bed.root("s");
    let mask: Vec<String> = bed.agents["s"].mask.iter().cloned().collect();
    bed.switch.holds(
        "s",
        Held {
            mask,
            sections: Vec::new(),
        },
    );
    bed.switch.holds("nobody", Held::default());
    let orders = bed.switch.tools_changed(bed.toolset()).unwrap();
    assert_eq!(orders.agents.len(), 1);
    assert_eq!(orders.agents[0].mask, None);
    assert_eq!(orders.agents[0].sections, Some(vec!["mcp:rea".into()]));
    assert_eq!(bed.tell_tools(), 0);
}

#[test]
fn p26_a_damaged_file_loses_nothing_that_is_known() {
    let mut bed = Bed::with_rea(3);
    bed.root("s");
    bed.change("s", Movement::On);
    for damaged in ["{\"version\": 1, \"conv", "\0\0", "[]", "{\"version\": 9}"] {
        bed.file = Some(damaged.into());
        let adopted = bed.adopt();
        assert!(adopted.damage.is_some());
        assert_eq!(adopted.orders, Orders::default());
        assert_eq!(bed.count("s", "rea"), 3);
        let change = Change {
            session: "t".into(),
            to: Movement::On,
        };
        let written = bed
            .switch
            .prepare_write(bed.file.as_deref(), &change)
            .unwrap();
        assert!(written.damage.is_some(), "keep it aside");
        assert!(written.document.contains("\"s\": {\"enabled\": true"));
    }
    // At the start there is nothing to fall back to but the default.
    let mut bed = Bed::with_rea(3);
    bed.file = Some(b"{".to_vec());
    let damage = bed.adopt().damage.unwrap();
    assert_eq!(
        (damage.kind, damage.field.as_str()),
        (DamageKind::Syntax, "")
    );
    bed.root("s");
    assert_eq!(bed.count("s", "rea"), 0);
}

#[test]
fn a_file_that_is_gone_means_that_nothing_was_ever_switched() {
    let mut bed = Bed::with_rea(3);
    bed.root("s");
    bed.change("s", Movement::On);
    bed.file = None;
    assert_eq!(bed.adopt().conversations, ["s"]);
    assert_eq!(bed.count("s", "rea"), 0);
}

#[test]
fn p27_a_flip_is_relative_to_the_file_and_others_flips_are_followed() {
    let mut here = Bed::with_rea(3);
    let mut there = Bed::with_rea(3);
    here.root("s");
    there.root("s");
    here.change("s", Movement::Flip);
    there.file = here.file.clone();
    // Unaware of it, the other flips: off, not on.
    there.change("s", Movement::Flip);
    assert_eq!(there.count("s", "rea"), 0);
    here.file = there.file;
    assert_eq!(here.adopt().conversations, ["s"]);
    assert_eq!(here.count("s", "rea"), 0);
}

#[test]
fn hostile_ids_are_ordinary_or_refused() {
    let mut bed = Bed::with_rea(1);
    for id in [
        "__proto__",
        "constructor",
        "toString",
        "hasOwnProperty",
        "version",
        "a\"b",
    ] {
        bed.root(id);
        bed.change(id, Movement::On);
        assert!(bed.switch.status(id).unwrap().known, "{id}");
        assert_eq!(bed.count(id, "rea"), 1);
    }
    for (id, kind) in [
        ("", ProblemKind::Empty),
        ("a b", ProblemKind::Unprintable),
        ("\u{202e}", ProblemKind::Unprintable),
    ] {
        let change = Change {
            session: id.into(),
            to: Movement::On,
        };
        assert_eq!(
            bed.switch.prepare_write(None, &change).unwrap_err().kind,
            kind
        );
        assert_eq!(bed.switch.status(id).unwrap_err().field, "session");
        // As an agent it is covered all the same.
        bed.root(id);
        assert_eq!(bed.count(id, "rea"), 0);
    }
}

#[test]
fn what_is_too_much_is_refused_and_changes_nothing() {
    let mut bed = Bed::with_rea(3);
    bed.root("s");
    let before = bed.switch.decision("s");
    let many = Toolset {
        names: vec!["x".into(); 200_001],
        ..Toolset::default()
    };
    let large = Toolset {
        names: vec!["x".repeat(17 << 20)],
        ..Toolset::default()
    };
    let servers = Toolset {
        servers: (0..1001)
            .map(|number| Server {
                name: number.to_string(),
                state: None,
            })
            .collect(),
        ..Toolset::default()
    };
    for tools in [many, large, servers] {
        let problem = bed.switch.tools_changed(tools).unwrap_err();
        assert_eq!(problem.kind, ProblemKind::TooMuch);
    }
    let agents = (0..MOST_AGENTS)
        .map(|number| Agent {
            id: format!("a{number}"),
            ..Agent::default()
        })
        .collect();
    assert_eq!(
        bed.switch.agents_seen(agents).unwrap_err().kind,
        ProblemKind::TooMuch
    );
    let long = Agent {
        id: "x".repeat(1025),
        ..Agent::default()
    };
    assert_eq!(bed.switch.agents_seen(vec![long]).unwrap_err().field, "id");
    assert_eq!(bed.switch.decision("s"), before);
    assert_eq!(bed.switch.summary().agents, 1);
}

#[test]
fn a_hundred_thousand_names_are_no_trouble() {
    let mut bed = Bed::with_rea(100_000);
    for number in 0..10 {
        bed.root(&format!("s{number}"));
    }
    assert_eq!(bed.count("s9", "rea"), 0);
    assert_eq!(bed.tell_tools(), 0);
    // Ten agents, and one mask for all of them.
    bed.tools.insert("mcp__rea__new".into());
    let orders = bed.switch.tools_changed(bed.toolset()).unwrap();
    assert_eq!((orders.masks.len(), orders.agents.len()), (1, 10));
}

#[test]
fn what_agents_have_of_their_own_adds_up_to_a_bound() {
    let mut bed = Bed::with_rea(1);
    let own = |id: &str, count| Agent {
        id: id.into(),
        names: Some(names("rea", count).collect()),
        ..Agent::default()
    };
    bed.switch.agents_seen(vec![own("a", 60_000)]).unwrap();
    bed.switch.agents_seen(vec![own("b", 60_000)]).unwrap();
    let problem = bed.switch.agents_seen(vec![own("c", 90_000)]).unwrap_err();
    assert_eq!(problem.kind, ProblemKind::TooMuch);
    // In the place of what it had before there is room.
    bed.switch.agents_seen(vec![own("a", 90_000)]).unwrap();
}

#[test]
fn settings_that_were_never_read_are_checked_all_the_same() {
    let none = Settings {
        servers: Vec::new(),
        default_enabled: false,
    };
    let problem = Switch::open(none, hosting()).err().unwrap();
    assert_eq!(
        (problem.kind, problem.field.as_str()),
        (ProblemKind::Empty, "servers")
    );
    let problem = Switch::open(settings(&["a", ""], false), hosting())
        .err()
        .unwrap();
    assert_eq!(problem.field, "servers[1]");
}
