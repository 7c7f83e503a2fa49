// The live agents: what the policy decides for them is carried out here, and what happens to them is told to it.

import { ancestorsOf, originOf } from './lineage.mjs';
import { dropMask, maskOf, setMask } from './masks.mjs';
import { Refused } from './policy.mjs';
import { dropSections, sectionsOf, setSections } from './sections.mjs';
import { configuredServers, deniable, schemaSizes } from './tools.mjs';

/** Passes in one turn of the event loop that found other tools than the one before. Then others get their turn first. */
const MOST_PASSES = 16;

/**
 * A live agent and what is in place for it.
 * @typedef {{
 *   agent: {id: string, ctx: object, session?: object},
 *   mask: {names: string[], lift: () => void} | undefined,
 *   shadows: Map<string, () => void>,
 * }} Live
 */

/** The live agents. */
export class Agents {
  #ctx;
  #live = new Map();
  #told;
  #sized;
  #pending = false;
  #passes = 0;
  #closed = false;
  #say;

  /** Set once, before anything else: agents and policy know each other. @type {import('./policy.mjs').Policy} */
  policy;

  /**
   * @param {object} ctx of the plugin
   * @param {{warn(text: string): void, once(key: string, text: string): void}} say
   */
  constructor(ctx, say) {
    this.#ctx = ctx;
    this.#say = say;
  }

  /** What is in place for an agent. @param {string} id */
  heldOf(id) {
    const live = this.#live.get(id);
    return live ? { mask: maskOf(live), sections: sectionsOf(live) } : { mask: [], sections: [] };
  }

  /**
   * An agent is there. When this returns its first prompt may be assembled.
   * @param {object[]} agents
   * @returns {Promise<void> | undefined} something to wait for, where the host waits: ancestors that must be looked up
   */
  seen(agents) {
    this.#guarded(() => this.reconcile());
    const described = agents.filter((agent) => this.#live.get(agent.id)?.agent !== agent).map((agent) => {
      this.#live.set(agent.id, { agent, mask: undefined, shadows: new Map() });
      return { id: agent.id, ...originOf(agent), names: this.#ownNames(agent), held: undefined };
    });
    if (described.length === 0) return undefined;
    this.#carryOut(this.policy.agentsSeen(described));
    const lost = described.filter(({ parent, origin }) => origin === 'subagent' && parent && !this.policy.knows(parent));
    return lost.length > 0 ? this.#lookUp(lost) : undefined;
  }

  /** An agent is gone, and what was in place for it with its scope. @param {{id: string}} agent */
  gone(agent) {
    if (this.#live.get(agent.id)?.agent !== agent) return;
    this.#live.delete(agent.id);
    this.policy.agentGone(agent.id);
  }

  /**
   * Tools have changed, perhaps by us. One burst is one pass, right after what runs now: before any prompt that is
   * assembled later, and never within the change itself.
   */
  changed() {
    if (this.#pending || this.#closed) return;
    this.#pending = true;
    const pass = () => {
      this.#pending = false;
      this.#guarded(() => this.reconcile());
    };
    if (this.#passes < MOST_PASSES) {
      queueMicrotask(pass);
    } else {
      setImmediate(pass);
    }
  }

  /** Tells the policy which tools there are, if they are others than it was told. */
  reconcile() {
    if (this.#closed) return;
    const toolset = this.#toolset();
    const text = JSON.stringify(toolset);
    if (text === this.#told) return;
    if (this.#passes === 0) setImmediate(() => { this.#passes = 0; });
    this.#passes += 1;
    this.#sized = false;
    try {
      this.#told = text;
      this.#carryOut(this.policy.toolsChanged(toolset));
    } catch (error) {
      // What the policy refuses it would refuse again; what failed otherwise is told again at the next event.
      if (!(error instanceof Refused)) this.#told = undefined;
      throw error;
    }
  }

  /** Tells the policy what the schemas come to, before somebody is told. */
  measure() {
    this.reconcile();
    if (this.#sized) return;
    this.policy.sizesTold(schemaSizes(this.#ctx.tools));
    this.#sized = true;
  }

  /** Carries out what the policy orders. @param {import('./policy.mjs').Orders} orders */
  carryOut(orders) {
    this.#carryOut(orders);
  }

  /** Lifts everything that is in place, for the end. */
  liftAll() {
    this.#closed = true;
    this.#guarded(() => this.policy.liftAll());
    for (const live of this.#live.values()) {
      dropMask(live);
      dropSections(live);
    }
    this.#live.clear();
  }

  #carryOut({ masks, agents }) {
    for (const { agent: id, mask, sections } of agents) {
      const live = this.#live.get(id);
      if (!live) continue;
      const masked = mask === undefined || this.#done(id, 'tools', () => setMask(live, masks[mask]));
      const shadowed = sections === undefined || this.#done(id, 'instructions', () => setSections(live, sections));
      if (!masked || !shadowed) this.policy.holds(id, this.heldOf(id));
    }
  }

  /** The host may refuse; then the rest is done all the same, and the next event asks again. */
  #done(id, what, work) {
    try {
      work();
      return true;
    } catch (error) {
      this.#say.once(`${what} ${error?.message}`, `the ${what} of agent ${id} could not be switched: ${error?.message ?? error}`);
      return false;
    }
  }

  #guarded(work) {
    try {
      return work();
    } catch (error) {
      this.#say.once(`guard ${error?.message}`, `the last decision stands: ${error?.message ?? error}`);
      return undefined;
    }
  }

  #toolset() {
    const names = deniable(this.#ctx.tools, undefined, this.#say.once);
    const agents = [];
    for (const { agent } of this.#live.values()) {
      const own = this.#ownNames(agent, names);
      if (own) agents.push({ agent: agent.id, names: own });
    }
    return { servers: configuredServers(this.#service('loader')), names, owned: [], agents };
  }

  /** What is deniable for an agent, if it isn't what is deniable for all. */
  #ownNames(agent, all = deniable(this.#ctx.tools, undefined, this.#say.once)) {
    const own = deniable(this.#ctx.tools, agent, this.#say.once);
    return own.length === all.length && own.every((name, index) => name === all[index]) ? undefined : own;
  }

  async #lookUp(lost) {
    const persistence = this.#service('sessionPersistence');
    if (typeof persistence?.inspect !== 'function') return;
    for (const { id, parent } of lost) {
      try {
        const line = await ancestorsOf(persistence, parent, (ancestor) => this.policy.knows(ancestor));
        if (line.length > 0 && !this.#closed) this.#carryOut(this.policy.lineageTold(line));
      } catch (error) {
        // Its log may be gone: then it is taken for a conversation.
        this.#say.once(`lineage ${id}`, `nothing is known of the agent ${parent} that made ${id}: ${error?.message ?? error}`);
      }
    }
  }

  #service(name) {
    try {
      return this.#ctx.get?.(name);
    } catch {
      return undefined;
    }
  }
}
