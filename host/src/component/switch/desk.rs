//! What the thread of the switch owns: the instance, and all that it was told.

use std::{collections::BTreeSet, sync::Arc, time::Instant};

use wasmtime::{Store, component::ResourceAny};

use super::{
    super::{
        Defect, Family, IdentifierPage, Program, SessionView, Unavailable,
        bindings::{
            Guide,
            exports::rea::guide::toggle::{Guest, GuestSwitch, Order, Orders},
        },
        engine,
        imports::Context,
        limits,
        worker::{AfterTrap, Recipe},
    },
    Adopted, Agent, Ancestor, Held, Limits, Listener, Standing, SwitchError, Toolset, replay,
    standing::Standings,
    told::Told,
};

/// The switch needs nothing of a session.
struct NoSession;

impl SessionView for NoSession {
    fn documents(&self) -> Result<Vec<String>, Unavailable> {
        Err(Unavailable::NoTarget)
    }

    fn providers(&self) -> Vec<String> {
        Vec::new()
    }

    fn identifiers(&self, _: Family, _: &str, _: u32) -> Result<IdentifierPage, Unavailable> {
        Err(Unavailable::Unsupported)
    }

    fn tools(&self) -> Vec<String> {
        Vec::new()
    }

    fn retained_operations(&self) -> Vec<String> {
        Vec::new()
    }
}

/// An instance.
pub(super) struct Fresh {
    guide: Guide,
    store: Store<Context>,
    switch: Option<ResourceAny>,
}

impl Fresh {
    /// The functions that need no switch.
    pub(super) fn free(&mut self) -> (&Guest, &mut Store<Context>) {
        restart_clock(&mut self.store);
        (self.guide.rea_guide_toggle(), &mut self.store)
    }

    /// Those of the switch.
    pub(super) fn parts(
        &mut self,
    ) -> wasmtime::Result<(GuestSwitch<'_>, &mut Store<Context>, ResourceAny)> {
        let switch = self
            .switch
            .ok_or_else(|| wasmtime::Error::msg("the switch was not opened"))?;
        restart_clock(&mut self.store);
        Ok((
            self.guide.rea_guide_toggle().switch(),
            &mut self.store,
            switch,
        ))
    }
}

/// Each call has all the time of a call.
fn restart_clock(store: &mut Store<Context>) {
    store.set_epoch_deadline(engine::ticks_until(Instant::now() + limits::SWITCH));
}

/// The instance, and what is needed to make another that knows the same.
pub(super) struct Desk {
    recipe: Recipe,
    instance: Option<Fresh>,
    opened: Option<Opened>,
}

struct Opened {
    told: Told,
    standings: Arc<Standings>,
    listener: Arc<Listener>,
}

impl Desk {
    pub(super) fn new(program: Arc<Program>) -> Desk {
        Desk {
            recipe: Recipe {
                program,
                session: Arc::new(NoSession),
                snapshot: None,
                memory: limits::SWITCH_MEMORY,
                transfer: limits::SWITCH_TRANSFER,
                after_trap: AfterTrap::Replace,
            },
            instance: None,
            opened: None,
        }
    }

    /// Asks. If that traps, asks once more, a fresh instance that knows what this one knew: what it stumbled over may have been
    /// of its own making.
    pub(super) fn ask<R>(
        &mut self,
        question: impl Fn(&mut Fresh) -> wasmtime::Result<R>,
    ) -> Result<R, Defect> {
        match self.attempt(&question) {
            Ok(answer) => Ok(answer),
            Err(error) => {
                tracing::error!("the switch is made anew: {error:?}");
                self.attempt(&question).map_err(|error| {
                    tracing::error!("the switch: {error:?}");
                    Defect::of(&error)
                })
            }
        }
    }

    /// Asks what needs no switch.
    pub(super) fn ask_free<R>(
        &mut self,
        question: impl Fn(&Guest, &mut Store<Context>) -> wasmtime::Result<R>,
    ) -> Result<R, Defect> {
        self.ask(|fresh| {
            let (toggle, store) = fresh.free();
            question(toggle, store)
        })
    }

    fn attempt<R>(
        &mut self,
        question: impl Fn(&mut Fresh) -> wasmtime::Result<R>,
    ) -> wasmtime::Result<R> {
        // Taken out, and put back if all went well: an instance that trapped is dead for good.
        let mut fresh = match self.instance.take() {
            Some(instance) => instance,
            None => self.make()?,
        };
        let answer = question(&mut fresh)?;
        self.instance = Some(fresh);
        Ok(answer)
    }

    fn make(&mut self) -> wasmtime::Result<Fresh> {
        let (guide, store) = self.recipe.instantiate()?;
        let mut fresh = Fresh {
            guide,
            store,
            switch: None,
        };
        if let Some(opened) = &mut self.opened {
            fresh.switch = Some(open(&mut fresh, &opened.told)?);
            // What is in place is what was decided, so normally there is nothing to do.
            for orders in replay::tell(&mut fresh, &opened.told)? {
                opened.carry_out(orders);
            }
        }
        Ok(fresh)
    }

    pub(super) fn open(
        &mut self,
        told: Told,
        listener: Arc<Listener>,
    ) -> Result<(Limits, Arc<Standings>), SwitchError> {
        let (limits, switch) = self.ask(|fresh| {
            let (toggle, store) = fresh.free();
            let limits = toggle.call_sizes(&mut *store)?;
            let opened = toggle.call_open(&mut *store, &told.settings, &told.hosting)?;
            Ok((limits, opened))
        })?;
        let switch = switch?;
        if let Some(instance) = &mut self.instance {
            instance.switch = Some(switch);
        }
        let standings = Arc::new(Standings::default());
        self.opened = Some(Opened {
            told,
            standings: Arc::clone(&standings),
            listener,
        });
        Ok((limits, standings))
    }

    pub(super) fn adopt(&mut self, document: Option<Vec<u8>>) -> Result<Adopted, SwitchError> {
        let adopted = self.ask(|fresh| {
            let (toggle, store, switch) = fresh.parts()?;
            toggle.call_adopt(store, switch, document.as_deref())
        })?;
        let opened = self.opened()?;
        opened.told.document(document, adopted.damage.as_ref());
        let ordered = opened.carry_out(adopted.orders);
        let mut concerned: BTreeSet<String> = opened
            .told
            .agents
            .iter()
            .filter(|(_, live)| {
                let conversation = &live.standing.conversation;
                adopted.conversations.binary_search(conversation).is_ok()
            })
            .map(|(id, _)| id.clone())
            .collect();
        for agent in ordered {
            concerned.remove(&agent);
        }
        self.settle(concerned)?;
        Ok(Adopted {
            conversations: adopted.conversations,
            damage: adopted.damage,
        })
    }

    pub(super) fn tools_changed(&mut self, tools: Toolset) -> Result<(), SwitchError> {
        let orders = self.ask(|fresh| {
            let (toggle, store, switch) = fresh.parts()?;
            toggle.call_tools_changed(store, switch, &tools)
        })??;
        let opened = self.opened()?;
        opened.told.toolset(tools);
        opened.carry_out(orders);
        Ok(())
    }

    pub(super) fn sizes_told(&mut self, sizes: Vec<(String, u64)>) -> Result<(), SwitchError> {
        self.ask(|fresh| {
            let (toggle, store, switch) = fresh.parts()?;
            toggle.call_sizes_told(store, switch, &sizes)
        })?;
        self.opened()?.told.sizes.extend(sizes);
        Ok(())
    }

    pub(super) fn agents_seen(&mut self, agents: Vec<Agent>) -> Result<(), SwitchError> {
        let orders = self.ask(|fresh| {
            let (toggle, store, switch) = fresh.parts()?;
            toggle.call_agents_seen(store, switch, &agents)
        })??;
        let opened = self.opened()?;
        let mut concerned = BTreeSet::new();
        for agent in agents {
            concerned.insert(agent.id.clone());
            opened.told.agent(agent);
        }
        // Those that were there before may belong elsewhere now.
        concerned.extend(opened.told.with_parents());
        for agent in opened.carry_out(orders) {
            concerned.remove(&agent);
        }
        self.settle(concerned)
    }

    pub(super) fn lineage_told(&mut self, ancestors: Vec<Ancestor>) -> Result<(), SwitchError> {
        let orders = self.ask(|fresh| {
            let (toggle, store, switch) = fresh.parts()?;
            toggle.call_lineage_told(store, switch, &ancestors)
        })??;
        let opened = self.opened()?;
        for ancestor in ancestors {
            opened.told.ancestor(ancestor);
        }
        let mut concerned: BTreeSet<String> = opened.told.with_parents().collect();
        for agent in opened.carry_out(orders) {
            concerned.remove(&agent);
        }
        self.settle(concerned)
    }

    pub(super) fn agent_gone(&mut self, id: &str) -> Result<(), SwitchError> {
        // Forgotten first: if the call traps, the next instance has never heard of it.
        let opened = self.opened()?;
        opened.told.gone(id);
        opened.standings.remove(id);
        self.ask(|fresh| {
            let (toggle, store, switch) = fresh.parts()?;
            toggle.call_agent_gone(store, switch, id)
        })?;
        Ok(())
    }

    pub(super) fn holds(&mut self, agent: &str, held: Held) -> Result<(), SwitchError> {
        let opened = self.opened()?;
        let (mask, sections) = (held.mask.clone().into(), held.sections.clone().into());
        opened.update(agent, |standing| {
            standing.mask = mask;
            standing.sections = sections;
        });
        self.ask(|fresh| {
            let (toggle, store, switch) = fresh.parts()?;
            toggle.call_holds(store, switch, agent, &held)
        })?;
        Ok(())
    }

    pub(super) fn lift_all(&mut self) -> Result<(), SwitchError> {
        let orders = self.ask(|fresh| {
            let (toggle, store, switch) = fresh.parts()?;
            toggle.call_lift_all(store, switch)
        })?;
        let opened = self.opened()?;
        opened.told.lifted = true;
        opened.carry_out(orders);
        Ok(())
    }

    /// Takes down to which conversation each of these belongs and how that stands: an agent for whom nothing is to be done gets
    /// no order that says so.
    fn settle(&mut self, agents: BTreeSet<String>) -> Result<(), SwitchError> {
        for id in agents {
            let decided = self.ask(|fresh| {
                let (toggle, store, switch) = fresh.parts()?;
                match toggle.call_status(&mut *store, switch, &id)? {
                    Ok(status) => Ok(Some((status.conversation, status.enabled))),
                    // An agent whose id could not be a conversation's. Its decision lists every name, so it is the second choice.
                    Err(_) => {
                        let (toggle, store, switch) = fresh.parts()?;
                        let decision = toggle.call_decision(store, switch, &id)?;
                        Ok(decision.map(|decision| (decision.conversation, decision.enabled)))
                    }
                }
            })?;
            if let Some((conversation, enabled)) = decided {
                self.opened()?.update(&id, |standing| {
                    standing.conversation = conversation;
                    standing.enabled = enabled;
                });
            }
        }
        Ok(())
    }

    fn opened(&mut self) -> Result<&mut Opened, Defect> {
        self.opened
            .as_mut()
            .ok_or_else(|| Defect("the switch was not opened".into()))
    }
}

fn open(fresh: &mut Fresh, told: &Told) -> wasmtime::Result<ResourceAny> {
    let (toggle, store) = fresh.free();
    toggle
        .call_open(store, &told.settings, &told.hosting)?
        .map_err(|problem| wasmtime::Error::msg(problem.detail))
}

impl Opened {
    /// Carries out orders, and gives the agents that they were for.
    fn carry_out(&mut self, orders: Orders) -> Vec<String> {
        let mut concerned = Vec::new();
        let masks: Vec<Arc<[String]>> = orders.masks.into_iter().map(Into::into).collect();
        for order in orders.agents {
            let Order {
                agent,
                conversation,
                enabled,
                mask,
                sections,
            } = order;
            // The number is the guest's.
            let mask = mask.and_then(|mask| masks.get(usize::try_from(mask).unwrap_or(usize::MAX)));
            self.update(&agent, |standing| {
                standing.conversation = conversation;
                standing.enabled = enabled;
                if let Some(mask) = mask {
                    standing.mask = Arc::clone(mask);
                }
                if let Some(sections) = sections {
                    standing.sections = sections.into();
                }
            });
            concerned.push(agent);
        }
        concerned
    }

    /// Changes how an agent stands, and says so if that is something else than before.
    fn update(&mut self, agent: &str, change: impl FnOnce(&mut Standing)) {
        let Some(live) = self.told.agents.get_mut(agent) else {
            return;
        };
        change(Arc::make_mut(&mut live.standing));
        if self.standings.set(agent, &live.standing) {
            (self.listener)(agent, &live.standing);
        }
    }
}
