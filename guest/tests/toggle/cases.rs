//! The cases that every host of the component must answer alike (`tests/cases/toggle.json`), answered by the library.
//!
//! `BLESS=1` writes down what it answers; read the difference.

use std::path::Path;

use rea_guide::toggle::{
    Adopted, Agent, AgentNames, Ancestor, Change, CommandStep, Damage, DamageKind, Fence, Held,
    Hosting, HttpChange, HttpStep, Movement, Naming, Orders, OwnedNames, Problem, Request,
    Response, Server, ServerState, Settings, StoreFailure, StoreFailureKind, Switch, Toolset,
    estimate_tokens, read_config,
};
use serde_json::{Value, json};

#[test]
fn the_library_answers_the_cases() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases/toggle.json");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut file: Value = serde_json::from_str(&text).unwrap();
    let bless = std::env::var_os("BLESS").is_some();
    let mut steps = 0;
    for case in file["cases"].as_array_mut().unwrap() {
        let mut switch = None;
        let name = case["name"].as_str().unwrap().to_owned();
        for step in case["steps"].as_array_mut().unwrap() {
            steps += 1;
            let call = step["call"].as_str().unwrap().to_owned();
            let with = step["with"].as_array().cloned().unwrap_or_default();
            let (key, got) = match answer(&mut switch, &call, &with) {
                Ok(value) => ("gives", value),
                Err(problem) => (
                    "fails",
                    json!({"kind": word(&problem.kind), "field": problem.field}),
                ),
            };
            if bless {
                let step = step.as_object_mut().unwrap();
                step.remove("gives");
                step.remove("fails");
                step.insert(key.to_owned(), got);
            } else {
                assert_eq!(step.get(key), Some(&got), "{name}: {call}{with:?}");
            }
        }
    }
    assert!(steps > 40);
    if bless {
        let text = serde_json::to_string_pretty(&file).unwrap();
        std::fs::write(&path, text + "\n").unwrap();
    }
}

fn answer(switch: &mut Option<Switch>, call: &str, with: &[Value]) -> Result<Value, Problem> {
    let at = |index: usize| with.get(index).unwrap_or(&Value::Null);
    match call {
        "toggle.read-config" => {
            let bridged = list(at(2));
            let read = read_config(&text(at(0)), naming(at(1)), bridged.as_deref())?;
            return Ok(json!({
                "settings": {"servers": read.settings.servers, "default-enabled": read.settings.default_enabled},
                "shared": read.shared,
                "ignored": read.ignored,
            }));
        }
        "toggle.estimate-tokens" => return Ok(json!(estimate_tokens(at(0).as_u64().unwrap()))),
        "toggle.open" => {
            let (settings, hosting) = (at(0), at(1));
            *switch = Some(Switch::open(
                Settings {
                    servers: list(&settings["servers"]).unwrap(),
                    default_enabled: settings["default-enabled"].as_bool().unwrap(),
                },
                Hosting {
                    naming: naming(&hosting["naming"]),
                    state_path: text(&hosting["state-path"]),
                    command: text(&hosting["command"]),
                },
            )?);
            return Ok(Value::Null);
        }
        _ => {}
    }
    let switch = switch.as_mut().expect("toggle.open comes first");
    Ok(match call {
        "switch.adopt" => adopted(switch.adopt(bytes(at(0)).as_deref())),
        "switch.prepare-write" => {
            let written = switch.prepare_write(bytes(at(0)).as_deref(), &change(at(1)))?;
            json!({
                "document": {"utf8": written.document},
                "conversation": written.conversation,
                "enabled": written.enabled,
                "damage": written.damage.map(damage),
            })
        }
        "switch.tools-changed" => orders(switch.tools_changed(toolset(at(0)))?),
        "switch.agents-seen" => orders(switch.agents_seen(each(at(0), agent))?),
        "switch.lineage-told" => orders(switch.lineage_told(&each(at(0), ancestor))?),
        "switch.agent-gone" => {
            switch.agent_gone(&text(at(0)));
            Value::Null
        }
        "switch.holds" => {
            switch.holds(&text(at(0)), held(at(1)));
            Value::Null
        }
        "switch.sizes-told" => {
            let size = |pair: &Value| (text(&pair[0]), pair[1].as_u64().unwrap());
            switch.sizes_told(each(at(0), size));
            Value::Null
        }
        "switch.decision" => switch
            .decision(&text(at(0)))
            .map_or(Value::Null, |decision| {
                json!({
                    "conversation": decision.conversation,
                    "enabled": decision.enabled,
                    "deny": decision.deny,
                    "sections": decision.sections,
                })
            }),
        "switch.status" => {
            let status = switch.status(&text(at(0)))?;
            json!({
                "session": status.session,
                "conversation": status.conversation,
                "enabled": status.enabled,
                "known": status.known,
                "agents": status.agents,
                "tools": status.tools,
                "schema-bytes": status.schema_bytes,
            })
        }
        "switch.summary" => {
            let summary = switch.summary();
            let servers: Vec<Value> = summary
                .servers
                .iter()
                .map(|(server, state)| json!([server, word(state)]))
                .collect();
            json!({
                "default-enabled": summary.default_enabled,
                "servers": servers,
                "conversations": summary.conversations,
                "agents": summary.agents,
                "tools": summary.tools,
                "schema-bytes": summary.schema_bytes,
                "state-path": summary.state_path,
            })
        }
        "switch.conversations" => switch
            .conversations()
            .into_iter()
            .map(|entry| {
                json!({
                    "id": entry.id,
                    "enabled": entry.enabled,
                    "revision": entry.revision,
                    "agents": entry.agents,
                })
            })
            .collect(),
        "switch.command" => match switch.command(&text(at(0)), &text(at(1))) {
            CommandStep::Reply(reply) => {
                json!({"tag": "reply", "val": {"ok": reply.ok, "text": reply.text}})
            }
            CommandStep::Change(change) => json!({"tag": "change", "val": changed(change)}),
        },
        "switch.command-answer" => {
            let reply = switch.command_answer(&change(at(0)), failure(at(1)).as_ref());
            json!({"ok": reply.ok, "text": reply.text})
        }
        "switch.http" => {
            let fence = Fence {
                hosts: list(&at(1)["hosts"]).unwrap(),
                origins: list(&at(1)["origins"]).unwrap(),
            };
            match switch.http(&request(at(0)), &fence) {
                HttpStep::Response(response) => json!({"tag": "response", "val": shown(response)}),
                HttpStep::Change(change) => json!({
                    "tag": "change",
                    "val": {"change": changed(change.change), "origin": change.origin},
                }),
            }
        }
        "switch.http-answer" => {
            let change = HttpChange {
                change: change(&at(0)["change"]),
                origin: optional(&at(0)["origin"]),
            };
            shown(switch.http_answer(&change, failure(at(1)).as_ref()))
        }
        "switch.lift-all" => orders(switch.lift_all()),
        other => panic!("there is no {other}"),
    })
}

/// A case of an enum as the contract spells it.
fn word(case: &impl std::fmt::Debug) -> String {
    let mut word = String::new();
    for c in format!("{case:?}").chars() {
        if c.is_uppercase() && !word.is_empty() {
            word.push('-');
        }
        word.push(c.to_ascii_lowercase());
    }
    word
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn optional(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn each<T>(value: &Value, read: impl Fn(&Value) -> T) -> Vec<T> {
    value.as_array().unwrap().iter().map(read).collect()
}

fn list(value: &Value) -> Option<Vec<String>> {
    (!value.is_null()).then(|| each(value, text))
}

fn bytes(value: &Value) -> Option<Vec<u8>> {
    (!value.is_null()).then(|| text(&value["utf8"]).into_bytes())
}

fn naming(value: &Value) -> Naming {
    match value.as_str() {
        Some("dsh") => Naming::Dsh,
        _ => Naming::Gateway,
    }
}

fn change(value: &Value) -> Change {
    Change {
        session: text(&value["session"]),
        to: match value["to"].as_str() {
            Some("on") => Movement::On,
            Some("off") => Movement::Off,
            _ => Movement::Flip,
        },
    }
}

fn changed(change: Change) -> Value {
    json!({"session": change.session, "to": word(&change.to)})
}

fn held(value: &Value) -> Held {
    Held {
        mask: list(&value["mask"]).unwrap(),
        sections: list(&value["sections"]).unwrap(),
    }
}

fn agent(value: &Value) -> Agent {
    Agent {
        id: text(&value["id"]),
        parent: optional(&value["parent"]),
        origin: optional(&value["origin"]),
        names: list(&value["names"]),
        held: (!value["held"].is_null()).then(|| held(&value["held"])),
    }
}

fn ancestor(value: &Value) -> Ancestor {
    Ancestor {
        id: text(&value["id"]),
        parent: optional(&value["parent"]),
        origin: optional(&value["origin"]),
    }
}

fn toolset(value: &Value) -> Toolset {
    Toolset {
        servers: each(&value["servers"], |server| Server {
            name: text(&server["name"]),
            state: match server["state"].as_str() {
                Some("connected") => Some(ServerState::Connected),
                Some("down") => Some(ServerState::Down),
                Some("absent") => Some(ServerState::Absent),
                _ => None,
            },
        }),
        names: list(&value["names"]).unwrap(),
        owned: each(&value["owned"], |owned| OwnedNames {
            server: text(&owned["server"]),
            names: list(&owned["names"]).unwrap(),
        }),
        agents: each(&value["agents"], |own| AgentNames {
            agent: text(&own["agent"]),
            names: list(&own["names"]).unwrap(),
        }),
    }
}

fn request(value: &Value) -> Request {
    Request {
        method: text(&value["method"]),
        query: optional(&value["query"]),
        headers: each(&value["headers"], |pair| (text(&pair[0]), text(&pair[1]))),
        body: bytes(&value["body"]).unwrap(),
    }
}

fn failure(value: &Value) -> Option<StoreFailure> {
    (!value.is_null()).then(|| StoreFailure {
        kind: match value["kind"].as_str() {
            Some("busy") => StoreFailureKind::Busy,
            _ => StoreFailureKind::Failed,
        },
        detail: text(&value["detail"]),
    })
}

fn orders(orders: Orders) -> Value {
    let agents: Vec<Value> = orders
        .agents
        .into_iter()
        .map(|order| {
            json!({
                "agent": order.agent,
                "conversation": order.conversation,
                "enabled": order.enabled,
                "mask": order.mask,
                "sections": order.sections,
            })
        })
        .collect();
    let masks: Vec<&[String]> = orders.masks.iter().map(|mask| &**mask).collect();
    json!({"masks": masks, "agents": agents})
}

fn damage(damage: Damage) -> Value {
    let kind: DamageKind = damage.kind;
    json!({"kind": word(&kind), "field": damage.field, "detail": damage.detail})
}

fn adopted(adopted: Adopted) -> Value {
    json!({
        "conversations": adopted.conversations,
        "orders": orders(adopted.orders),
        "damage": adopted.damage.map(damage),
    })
}

fn shown(response: Response) -> Value {
    json!({"status": response.status, "headers": response.headers, "body": response.body})
}
