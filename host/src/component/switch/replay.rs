//! Tells a fresh instance what the one before it knew, in the order that `wit/toggle.wit` asks for.

use super::{
    super::bindings::exports::rea::guide::toggle::Orders,
    Agent, Ancestor,
    desk::Fresh,
    told::{Origin, Told},
};

/// Names that the agents of one call bring along, at most; a quarter of what the contract allows.
const MOST_NAMES: usize = 50_000;

/// Bytes of these.
const MOST_BYTES: usize = 4 << 20;

/// Facts about lineage in one call; what the contract allows.
const MOST_FACTS: usize = 20_000;

/// Tells it all, and gives what it ordered.
pub(super) fn tell(fresh: &mut Fresh, told: &Told) -> wasmtime::Result<Vec<Orders>> {
    let mut ordered = Vec::new();
    for document in &told.documents {
        let (toggle, store, switch) = fresh.parts()?;
        let adopted = toggle.call_adopt(store, switch, document.as_deref())?;
        ordered.push(adopted.orders);
    }
    if let Some(tools) = &told.tools {
        let (toggle, store, switch) = fresh.parts()?;
        ordered.push(accepted(toggle.call_tools_changed(store, switch, tools)?)?);
    }
    if !told.sizes.is_empty() {
        let sizes: Vec<(String, u64)> = told
            .sizes
            .iter()
            .map(|(name, bytes)| (name.clone(), *bytes))
            .collect();
        let (toggle, store, switch) = fresh.parts()?;
        toggle.call_sizes_told(store, switch, &sizes)?;
    }
    // The lineage of all first: then agents can come in several calls.
    for facts in lineage(told).chunks(MOST_FACTS) {
        let (toggle, store, switch) = fresh.parts()?;
        ordered.push(accepted(toggle.call_lineage_told(store, switch, facts)?)?);
    }
    for agents in batches(told) {
        let (toggle, store, switch) = fresh.parts()?;
        ordered.push(accepted(toggle.call_agents_seen(store, switch, &agents)?)?);
    }
    if told.lifted {
        let (toggle, store, switch) = fresh.parts()?;
        ordered.push(toggle.call_lift_all(store, switch)?);
    }
    Ok(ordered)
}

/// It was accepted before; if it isn't now, the instance is of no use.
fn accepted<T>(answer: Result<T, super::Problem>) -> wasmtime::Result<T> {
    answer.map_err(|problem| wasmtime::Error::msg(problem.detail))
}

/// Where all came from. The policy forgets the oldest first, so what live agents need comes last.
fn lineage(told: &Told) -> Vec<Ancestor> {
    let needed = told.needed();
    let (needed, others): (Vec<_>, Vec<_>) = told
        .ancestors
        .iter()
        .partition(|(id, _)| needed.contains(*id));
    let fact = |(id, from): (&String, &Origin)| Ancestor {
        id: id.clone(),
        parent: from.parent.clone(),
        origin: from.origin.clone(),
    };
    let live = told.agents.iter().map(|(id, live)| (id, &live.from));
    others
        .into_iter()
        .chain(needed)
        .chain(live)
        .map(fact)
        .collect()
}

/// The live agents, in calls that the contract allows.
fn batches(told: &Told) -> Vec<Vec<Agent>> {
    let mut batches = vec![Vec::new()];
    let (mut names, mut bytes) = (0_usize, 0_usize);
    for (id, live) in &told.agents {
        let held = live.standing.held();
        for name in held
            .mask
            .iter()
            .chain(&held.sections)
            .chain(live.names.iter().flatten())
        {
            names += 1;
            bytes += name.len();
        }
        let agent = Agent {
            id: id.clone(),
            parent: live.from.parent.clone(),
            origin: live.from.origin.clone(),
            names: live.names.clone(),
            held: Some(held),
        };
        match batches.last_mut() {
            Some(batch) if names <= MOST_NAMES && bytes <= MOST_BYTES => batch.push(agent),
            _ => {
                batches.push(vec![agent]);
                (names, bytes) = (0, 0);
            }
        }
    }
    batches.retain(|batch| !batch.is_empty());
    batches
}
