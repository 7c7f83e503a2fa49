// One switch of the component, and all that it was told: after a trap a new one is told it again and lands on the
// same decision. Until then the last one stands.

import { newToggle, problemOf } from './component.mjs';

/** @typedef {import('../generated/interfaces/rea-guide-toggle.d.ts').Orders} Orders */
/** @typedef {import('../generated/interfaces/rea-guide-toggle.d.ts').Held} Held */

/** The policy said no: `problem` says to what. */
export class Refused extends Error {
  /** @param {import('../generated/interfaces/rea-guide-toggle.d.ts').Problem} problem */
  constructor(problem) {
    super(problem.field ? `${problem.field}: ${problem.detail}` : problem.detail);
    this.name = 'Refused';
    this.problem = problem;
  }
}

/** Facts about where agents came from that are kept; the component keeps as many. */
const MOST_ANCESTORS = 20_000;

/** Documents that are kept for a new switch: the last whole one, and damaged ones since. */
const MOST_DOCUMENTS = 8;

/** A switch that survives its component. */
export class Policy {
  #make;
  #sizes;
  #switch;
  #settings;
  #hosting;
  #host;
  #restoring = false;
  #told = { documents: [], toolset: undefined, sizes: [], ancestors: new Map(), agents: new Map() };

  /**
   * @param {unknown} config of the plugin's row, as the host gave it
   * @param {string} statePath where the state file is, for people
   * @param {{heldOf(id: string): Held, carryOut(orders: Orders): void, warn(text: string): void}} host what is in place,
   *   what to do with orders that a restored switch gives, and where to say so
   * @param {() => import('./component.mjs').Toggle} make another source of instances, for tests
   * @throws {Refused} if the configuration is wrong, with the field
   */
  constructor(config, statePath, host, make = newToggle) {
    this.#make = make;
    this.#host = host;
    this.#hosting = { naming: 'dsh', statePath, command: '/rea' };
    const toggle = make();
    this.#sizes = toggle.sizes();
    const { settings, ignored } = refusing(() => toggle.readConfig(asText(config), 'dsh', undefined));
    if (ignored.length > 0) host.warn(`config has fields that mean nothing here: ${ignored.join(', ')}`);
    this.#settings = settings;
    this.#switch = refusing(() => toggle.open(settings, this.#hosting));
  }

  /** The names of the governed servers. */
  get servers() {
    return this.#settings.servers;
  }

  /** Sizes beyond which nothing need be read. */
  get sizes() {
    return this.#sizes;
  }

  /**
   * Takes over what the state file holds; see `adopt` in `wit/toggle.wit`, as for all that follows.
   * @param {Uint8Array | undefined} document
   */
  adopt(document) {
    const adopted = this.#ask('adopt', document);
    // Where a part of a document is unreadable, what was known before fills the gap: so one may not be enough.
    const { documents } = this.#told;
    if (!adopted.damage) documents.length = 0;
    else if (adopted.damage.field === '' && documents.length > 0) return adopted;
    else if (documents.length >= MOST_DOCUMENTS) documents.splice(1, 1);
    documents.push(document);
    return adopted;
  }

  /** @param {Uint8Array | undefined} current @param {object} change */
  prepareWrite(current, change) {
    return this.#ask('prepareWrite', current, change);
  }

  /** @param {object} toolset @returns {Orders} */
  toolsChanged(toolset) {
    const orders = this.#ask('toolsChanged', toolset);
    this.#told.toolset = toolset;
    // It tells anew what is deniable for whom.
    for (const agent of this.#told.agents.values()) agent.names = undefined;
    return orders;
  }

  /** @param {Array<[string, bigint]>} sizes */
  sizesTold(sizes) {
    this.#ask('sizesTold', sizes);
    this.#told.sizes = sizes;
  }

  /** @param {object[]} agents @returns {Orders} */
  agentsSeen(agents) {
    const known = agents.flatMap(({ id }) => this.#lineOf(id, agents));
    if (known.length > 0) this.#ask('lineageTold', known);
    const orders = this.#ask('agentsSeen', agents);
    for (const agent of agents) this.#told.agents.set(agent.id, { ...agent });
    return orders;
  }

  /** @param {object[]} ancestors @returns {Orders} */
  lineageTold(ancestors) {
    const orders = this.#ask('lineageTold', ancestors);
    for (const ancestor of ancestors) this.#remember(ancestor);
    return orders;
  }

  /** @param {string} id */
  agentGone(id) {
    const agent = this.#told.agents.get(id);
    this.#told.agents.delete(id);
    // A sub-agent of it may be resumed later.
    if (agent?.origin !== undefined) this.#remember({ id, parent: agent.parent, origin: agent.origin });
    this.#ask('agentGone', id);
  }

  /** Whether something is known about where an agent came from. @param {string} id */
  knows(id) {
    return this.#told.agents.has(id) || this.#told.ancestors.has(id);
  }

  /** @param {string} id @param {Held} held */
  holds(id, held) {
    this.#ask('holds', id, held);
  }

  /** @param {string} session @param {string} input */
  command(session, input) {
    return this.#ask('command', session, input);
  }

  /** @param {object} change @param {object | undefined} failure */
  commandAnswer(change, failure) {
    return this.#ask('commandAnswer', change, failure);
  }

  /** @param {object} request @param {object} fence */
  http(request, fence) {
    return this.#ask('http', request, fence);
  }

  /** @param {object} change @param {object | undefined} failure */
  httpAnswer(change, failure) {
    return this.#ask('httpAnswer', change, failure);
  }

  /** For the end: from here on no orders come. */
  liftAll() {
    return this.#ask('liftAll');
  }

  #remember({ id, parent, origin }) {
    const { ancestors } = this.#told;
    ancestors.delete(id);
    ancestors.set(id, { id, parent, origin });
    for (const oldest of ancestors.keys()) {
      if (ancestors.size <= MOST_ANCESTORS) break;
      ancestors.delete(oldest);
    }
  }

  /** What is known of the ancestors of a new agent that aren't live: the component may have forgotten them. */
  #lineOf(id, agents) {
    const line = [];
    let next = agents.find((agent) => agent.id === id);
    while (next?.origin === 'subagent' && next.parent !== undefined && line.length < 64) {
      next = this.#told.ancestors.get(next.parent);
      if (next === undefined || line.includes(next)) break;
      line.push(next);
    }
    return line.filter((ancestor) => !this.#told.agents.has(ancestor.id));
  }

  /** Asks the switch; if it trapped, or isn't there since the last trap, a new one. */
  #ask(method, ...words) {
    if (this.#switch) {
      try {
        return refusing(() => this.#switch[method](...words));
      } catch (error) {
        if (error instanceof Refused) throw error;
        this.#switch = undefined;
        this.#host.warn(`the component failed in ${method} and is started anew: ${error?.message ?? error}`);
      }
    }
    this.#restore();
    // The new one was told what is in place.
    if (method === 'holds') return undefined;
    try {
      return refusing(() => this.#switch[method](...words));
    } catch (error) {
      // If it fails again with the same words, it is these words; then the last decision stands.
      if (!(error instanceof Refused)) this.#switch = undefined;
      throw error;
    }
  }

  #restore() {
    // Carrying out what the new one orders may lead here again.
    if (this.#restoring) throw new Error('the component fails while it is started anew');
    this.#restoring = true;
    try {
      const { fresh, orders } = this.#restored();
      this.#switch = fresh;
      for (const order of orders) this.#host.carryOut(order);
    } finally {
      this.#restoring = false;
    }
  }

  #restored() {
    const { documents, toolset, sizes, ancestors, agents } = this.#told;
    const toggle = this.#make();
    const fresh = refusing(() => toggle.open(this.#settings, this.#hosting));
    const orders = (documents.length > 0 ? documents : [undefined]).map((document) => fresh.adopt(document).orders);
    if (toolset) orders.push(fresh.toolsChanged(toolset));
    fresh.sizesTold(sizes);
    if (ancestors.size > 0) orders.push(fresh.lineageTold([...ancestors.values()]));
    const live = [...agents.values()].map((agent) => ({ ...agent, held: this.#host.heldOf(agent.id) }));
    orders.push(fresh.agentsSeen(live));
    return { fresh, orders };
  }
}

/** Turns an error of the contract into one of ours; a trap stays what it is. */
function refusing(work) {
  try {
    return work();
  } catch (error) {
    const problem = problemOf(error);
    throw problem ? new Refused(problem) : error;
  }
}

/** The configuration as the component reads it. What isn't JSON (a function, a cycle) is a mistake that it can name. */
function asText(config) {
  return JSON.stringify(config ?? null) ?? 'not JSON';
}
