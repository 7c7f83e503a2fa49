//! The switch, requirement by requirement (T).

use std::collections::BTreeSet;

use crate::bed::{Bed, hosting, names, settings};
use rea_guide::toggle::{
    Agent, Change, CommandStep, Movement, Orders, Reply, Server, ServerState, StoreFailure,
    StoreFailureKind, Switch, Toolset,
};

fn section(server: &str) -> BTreeSet<String> {
    [format!("mcp:{server}")].into()
}

fn reply(step: CommandStep) -> Reply {
    match step {
        CommandStep::Reply(reply) => reply,
        CommandStep::Change(change) => panic!("{change:?}"),
    }
}

#[test]
fn t1_t6_t7_a_new_conversation_starts_off_and_each_has_its_own_position() {
    let mut bed = Bed::with_rea(207);
    assert_eq!(bed.root("one"), 1);
    assert_eq!(bed.root("two"), 1);
    for id in ["one", "two"] {
        assert_eq!(bed.count(id, "rea"), 0);
        assert_eq!(bed.shown(id).1, section("rea"));
    }
    let adopted = bed.change("one", Movement::On);
    assert_eq!(adopted.conversations, ["one"]);
    assert_eq!(adopted.orders.agents.len(), 1);
    assert_eq!(bed.count("one", "rea"), 207);
    assert_eq!(bed.shown("one").1, BTreeSet::new());
    assert_eq!(bed.count("two", "rea"), 0);
    bed.check();
}

#[test]
fn t2_sub_agents_follow_the_conversation_that_created_them_while_they_live() {
    let mut bed = Bed::with_rea(3);
    bed.root("root");
    bed.sub_agent("child", "root");
    bed.sub_agent("grandchild", "child");
    bed.root("stranger");
    assert_eq!(bed.count("grandchild", "rea"), 0);
    let adopted = bed.change("root", Movement::On);
    let touched: Vec<&str> = adopted
        .orders
        .agents
        .iter()
        .map(|order| order.agent.as_str())
        .collect();
    assert_eq!(touched, ["child", "grandchild", "root"]);
    assert_eq!(bed.count("grandchild", "rea"), 3);
    assert_eq!(bed.count("stranger", "rea"), 0);
    // P11: born on.
    assert_eq!(bed.sub_agent("late", "grandchild"), 0);
    assert_eq!(bed.count("late", "rea"), 3);
    // The parents go, the position stays.
    bed.gone("child");
    bed.gone("root");
    bed.change("root", Movement::Off);
    assert_eq!(bed.count("grandchild", "rea"), 0);
    assert_eq!(bed.count("late", "rea"), 0);
    bed.check();
}

#[test]
fn t2_switching_a_sub_agent_switches_the_conversation_that_created_it() {
    let mut bed = Bed::with_rea(3);
    bed.root("root");
    bed.sub_agent("child", "root");
    bed.sub_agent("grandchild", "child");
    assert_eq!(
        bed.change("grandchild", Movement::Flip).conversations,
        ["root"]
    );
    for id in ["root", "child", "grandchild"] {
        assert_eq!(bed.count(id, "rea"), 3);
    }
    let status = bed.switch.status("child").unwrap();
    assert_eq!(
        (status.session.as_str(), status.conversation.as_str()),
        ("child", "root")
    );
    assert!(status.enabled && status.known);
    assert_eq!(status.agents, 3);
    let file = String::from_utf8(bed.file.unwrap()).unwrap();
    assert!(file.contains("\"root\"") && !file.contains("child"));
}

#[test]
fn t4_the_words_of_the_command() {
    let bed = Bed::with_rea(1);
    let change = |to| {
        CommandStep::Change(Change {
            session: "s".into(),
            to,
        })
    };
    for (input, to) in [
        ("on", Movement::On),
        (" ON\t", Movement::On),
        ("enable", Movement::On),
        ("Off", Movement::Off),
        ("\ndisable ", Movement::Off),
        ("toggle", Movement::Flip),
        ("\u{3000}ToGgLe", Movement::Flip),
    ] {
        assert_eq!(bed.switch.command("s", input), change(to), "{input:?}");
    }
    assert!(reply(bed.switch.command("s", " Status ")).ok);
    for input in [
        "",
        "  ",
        "on off",
        "on!",
        "ein",
        "ſtatus",
        "--help",
        "\u{1b}[2J",
    ] {
        let reply = reply(bed.switch.command("s", input));
        assert!(!reply.ok, "{input:?}");
        assert!(
            reply
                .text
                .ends_with("Usage: /rea on | off | enable | disable | toggle | status"),
            "{}",
            reply.text
        );
        assert!(!reply.text.contains('\u{1b}'));
    }
    assert!(!reply(bed.switch.command("", "on")).ok);
}

#[test]
fn t4_what_people_are_told() {
    let mut bed = Bed::with_rea(2);
    bed.root("s");
    bed.sub_agent("child", "s");
    let status = |bed: &Bed, session: &str| reply(bed.switch.command(session, "status")).text;
    assert_eq!(
        status(&bed, "s"),
        "rea is off in this conversation (the default: it was never switched). Now its 2 tools and any \
         instructions are kept from the model."
    );
    bed.switch
        .sizes_told(names("rea", 2).map(|name| (name, 4_600)).collect());
    let on = Change {
        session: "s".into(),
        to: Movement::On,
    };
    bed.change("s", Movement::On);
    assert_eq!(
        bed.switch.command_answer(&on, None),
        Reply {
            ok: true,
            text: "rea is on in this conversation. From the next step its 2 tools and any instructions reach the \
                   model (2000 estimated o200k tokens of schema in each request)."
                .into()
        }
    );
    bed.change("s", Movement::Off);
    assert_eq!(
        status(&bed, "child"),
        "rea is off in this conversation; this is a sub-agent of \"s\" and follows it. Now its 2 tools and any \
         instructions are kept from the model (2000 estimated o200k tokens of schema kept out of each request)."
    );
    let failure = StoreFailure {
        kind: StoreFailureKind::Busy,
        detail: "Another program holds the lock.".into(),
    };
    assert_eq!(
        bed.switch.command_answer(&on, Some(&failure)),
        Reply {
            ok: false,
            text: "Nothing was switched. Another program holds the lock.".into()
        }
    );
    let several = Switch::open(settings(&["a", "b", "c"], true), hosting()).unwrap();
    assert_eq!(
        reply(several.command("s", "status")).text,
        "a, b and c are on in this conversation (the default: it was never switched). No tools of them are there \
         now: perhaps they are not connected under that name."
    );
}

#[test]
fn t8_on_after_off_restores_what_was_there() {
    let mut bed = Bed::with_rea(207);
    bed.root("s");
    bed.change("s", Movement::On);
    let before = bed.shown("s");
    assert_eq!(before.0, bed.tools);
    bed.change("s", Movement::Off);
    assert_ne!(bed.shown("s"), before);
    bed.change("s", Movement::On);
    assert_eq!(bed.shown("s"), before);
}

#[test]
fn t9_agents_that_were_alive_before_are_covered_whatever_their_order() {
    let mut switch = Switch::open(settings(&["rea"], false), hosting()).unwrap();
    let file = br#"{"version":1,"revision":1,"conversations":{"z":{"enabled":true,"revision":1}}}"#;
    assert_eq!(switch.adopt(Some(file)).orders, Orders::default());
    let tools = Toolset {
        names: names("rea", 3).collect(),
        ..Toolset::default()
    };
    assert_eq!(switch.tools_changed(tools), Ok(Orders::default()));
    let agent = |id: &str, parent: Option<&str>| Agent {
        id: id.into(),
        parent: parent.map(Into::into),
        origin: parent.map(|_| "subagent".into()),
        ..Agent::default()
    };
    let orders = switch
        .agents_seen(vec![
            agent("a", Some("m")),
            agent("m", Some("z")),
            agent("q", None),
            agent("z", None),
        ])
        .unwrap();
    assert_eq!(orders.agents.len(), 1);
    assert_eq!(orders.agents[0].agent, "q");
}

#[test]
fn t11_a_conversation_never_touched_is_not_written() {
    let mut bed = Bed::with_rea(2);
    bed.root("quiet");
    bed.root("s");
    reply(bed.switch.command("quiet", "status"));
    bed.switch.status("quiet").unwrap();
    bed.change("s", Movement::On);
    let file = String::from_utf8(bed.file.clone().unwrap()).unwrap();
    assert!(!file.contains("quiet"));
    assert!(!bed.switch.status("quiet").unwrap().known);
    // Setting the position that holds anyway is a choice, and remembered.
    bed.change("quiet", Movement::Off);
    assert!(bed.switch.status("quiet").unwrap().known);
}

#[test]
fn t11_the_500_most_recently_changed_are_kept() {
    let mut bed = Bed::with_rea(1);
    for number in 0..505 {
        bed.change(&format!("c{number}"), Movement::On);
    }
    bed.change("c5", Movement::On);
    bed.change("new", Movement::On);
    let list = bed.switch.conversations();
    assert_eq!(list.len(), 500);
    assert_eq!(list[0].id, "new");
    assert_eq!(list[1].id, "c5");
    assert!(!list.iter().any(|entry| entry.id == "c6"));
    assert_eq!(bed.switch.summary().conversations, 500);
    assert!(!bed.switch.status("c6").unwrap().enabled);
}

#[test]
fn t12_with_default_enabled_nothing_is_done_for_a_conversation_never_touched() {
    let mut bed = Bed::new(settings(&["rea"], true));
    bed.tools.extend(names("rea", 3));
    assert_eq!(bed.tell_tools(), 0);
    assert_eq!(bed.root("s"), 0);
    assert_eq!(bed.sub_agent("child", "s"), 0);
    assert_eq!(bed.count("child", "rea"), 3);
    assert!(!bed.switch.status("s").unwrap().known);
    bed.change("s", Movement::Flip);
    assert_eq!(bed.count("child", "rea"), 0);
}

#[test]
fn t12_several_servers_are_governed_together() {
    let mut bed = Bed::new(settings(&["rea", "ghidra"], false));
    bed.tools.extend(names("rea", 2));
    bed.tools.extend(names("ghidra", 2));
    bed.tools.extend(names("other", 2));
    bed.tell_tools();
    bed.root("s");
    assert_eq!(
        bed.shown("s").1,
        ["mcp:ghidra".into(), "mcp:rea".into()].into()
    );
    assert_eq!(bed.count("s", "rea") + bed.count("s", "ghidra"), 0);
    assert_eq!(bed.count("s", "other"), 2);
    for servers in [
        vec![],
        vec![""],
        vec!["a", "a"],
        vec!["a b"],
        vec!["\u{200b}"],
    ] {
        assert!(
            Switch::open(settings(&servers, false), hosting()).is_err(),
            "{servers:?}"
        );
    }
}

#[test]
fn t13_tools_are_counted_on_or_off_and_agents_by_conversation() {
    let mut bed = Bed::with_rea(207);
    bed.root("s");
    bed.sub_agent("child", "s");
    bed.root("t");
    for to in [Movement::Off, Movement::On] {
        bed.change("s", to);
        let status = bed.switch.status("s").unwrap();
        assert_eq!((status.tools, status.agents), (207, 2));
    }
    let summary = bed.switch.summary();
    assert_eq!(
        (summary.tools, summary.agents, summary.conversations),
        (207, 3, 1)
    );
    assert_eq!(summary.schema_bytes, None);
    bed.switch
        .sizes_told(names("rea", 207).map(|name| (name, 10)).collect());
    assert_eq!(bed.switch.summary().schema_bytes, Some(2070));
    bed.tools.retain(|name| !name.contains("__rea__"));
    bed.tell_tools();
    let summary = bed.switch.summary();
    assert_eq!((summary.tools, summary.schema_bytes), (0, Some(0)));
    assert_eq!(summary.servers, [("rea".to_owned(), ServerState::Absent)]);
}

#[test]
fn off_and_not_there_differ() {
    let mut bed = Bed::new(settings(&["a", "b", "c", "d"], false));
    let server = |name: &str, state| Server {
        name: name.into(),
        state,
    };
    bed.servers = vec![
        server("b", None),
        server("c", Some(ServerState::Down)),
        server("x", None),
    ];
    bed.tools.extend(names("a", 1));
    bed.tools.extend(names("c", 1));
    bed.tell_tools();
    let states: Vec<ServerState> = bed
        .switch
        .summary()
        .servers
        .into_iter()
        .map(|(_, state)| state)
        .collect();
    assert_eq!(
        states,
        [
            ServerState::Connected,
            ServerState::Down,
            ServerState::Down,
            ServerState::Absent
        ]
    );
}

#[test]
fn t14_unloading_lifts_everything_and_then_is_silent() {
    let mut bed = Bed::with_rea(3);
    bed.root("s");
    bed.root("t");
    bed.change("t", Movement::On);
    let orders = bed.switch.lift_all();
    assert_eq!(orders.agents.len(), 1);
    bed.carry_out(orders);
    assert_eq!(bed.shown("s"), (bed.tools.clone(), BTreeSet::new()));
    assert_eq!(bed.switch.lift_all(), Orders::default());
    assert_eq!(bed.root("late"), 0);
    assert_eq!(bed.tell_tools(), 0);
}
