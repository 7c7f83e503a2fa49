// Small models of the host's contracts, as far as the plugin depends on them. What they say is checked against the real
// packages by the small bed (`tests/dsh/small`), where the same rules run on the real thing.

/** A context: events, effects, services, and a scope if it is an agent's. */
export class Context {
  constructor(host, scope) {
    this.host = host;
    this.scope = scope;
    this.disposers = [];
    for (const name of ['tools', 'systemPrompt', 'agents']) {
      Object.defineProperty(this, name, { get: () => host.services[name].at(this) });
    }
    this.logger = { warn: (format, text) => host.warnings.push(text ?? format) };
  }

  on(event, listener) {
    const listeners = (this.host.listeners[event] ??= new Set());
    listeners.add(listener);
    return this.effect(() => () => listeners.delete(listener));
  }

  effect(work) {
    let undo = work();
    const dispose = () => {
      const once = undo;
      undo = undefined;
      this.disposers = this.disposers.filter((other) => other !== dispose);
      return once?.();
    };
    this.disposers.push(dispose);
    return dispose;
  }

  get(name) {
    return this.host.others[name];
  }

  /** Waits for services without blocking: what isn't there never comes. */
  inject(names, work) {
    if (!names.every((name) => this.host.others[name])) return;
    const inner = new Context(this.host, this.scope);
    for (const name of names) inner[name] = this.host.others[name].at?.(inner) ?? this.host.others[name];
    this.effect(() => () => inner.dispose());
    work(inner);
  }

  dispose() {
    for (const dispose of [...this.disposers].reverse()) dispose();
  }
}

/** Registrations that belong to the global layer or to a scope. */
class Layers {
  constructor(host, event) {
    this.host = host;
    this.event = event;
    this.layers = new Map();
  }

  of(scope) {
    if (!this.layers.has(scope)) this.layers.set(scope, { named: new Map(), masks: new Set() });
    return this.layers.get(scope);
  }

  add(ctx, insert) {
    return ctx.effect(() => {
      const undo = insert(this.of(ctx.scope));
      this.host.operations += 1;
      if (this.event) this.host.emit(this.event);
      return () => {
        undo();
        this.host.operations += 1;
        if (this.event) this.host.emit(this.event);
      };
    });
  }

  insert(ctx, name, value) {
    return this.add(ctx, ({ named }) => {
      if (named.has(name)) throw new Error(`"${name}" is already registered in this scope`);
      named.set(name, value);
      return () => named.delete(name);
    });
  }
}

class Tools {
  constructor(host) {
    this.layers = new Layers(host, 'tools/change');
  }

  at(ctx) {
    const tools = this;
    const api = {
      register: (definition) => tools.layers.insert(ctx, definition.name, definition),
      restrict({ deny }) {
        if (!ctx.scope) throw new Error('tools.restrict() requires a scoped context (agent.ctx)');
        const known = api.view(ctx.scope).restrictableNames;
        for (const name of deny) if (!known.has(name)) throw new Error(`tools.restrict() names unknown global tool(s) "${name}"`);
        const mask = new Set(deny);
        return tools.layers.add(ctx, ({ masks }) => {
          masks.add(mask);
          return () => masks.delete(mask);
        });
      },
      view(scope) {
        const inherited = tools.layers.of(undefined).named;
        const { named: own, masks } = tools.layers.of(scope);
        const admitted = [...inherited].filter(([name]) => scope === undefined || ![...masks].some((mask) => mask.has(name)));
        return {
          visible: new Map(scope === undefined ? admitted : [...admitted, ...own]),
          knownNames: new Set([...inherited.keys(), ...own.keys()]),
          restrictableNames: new Set(inherited.keys()),
        };
      },
      get: (name, scope) => api.view(scope).visible.get(name),
      schemas: (scope) => [...api.view(scope).visible.values()].map(({ name, description, parameters }) => ({ name, description, parameters })),
      call(name, scope) {
        return api.get(name, scope) ? `called ${name}` : `Error: unknown tool "${name}"`;
      },
    };
    return api;
  }
}

class SystemPrompt {
  constructor(host) {
    this.sections = new Layers(host);
    this.variables = new Layers(host);
  }

  at(ctx) {
    return {
      section: (section) => {
        if (!Number.isFinite(section.order)) throw new TypeError('order must be a finite number');
        return this.sections.insert(ctx, section.name, section);
      },
      variable: (name, provider) => this.variables.insert(ctx, name, provider),
    };
  }

  /** What the model gets: variables first, then tools in the order of names, then sections by name, in order. */
  assemble(tools, agent) {
    for (const provider of this.variables.of(undefined).named.values()) provider({ scope: agent });
    const schemas = tools.schemas(agent).sort((one, other) => (one.name < other.name ? -1 : 1));
    const merged = new Map([...this.sections.of(undefined).named, ...this.sections.of(agent).named]);
    const text = [...merged.values()].sort((one, other) => one.order - other.order).map((section) => section.text);
    return JSON.stringify({ tools: schemas, system: text.filter((text) => text.length > 0).join('\n\n') });
  }
}

/** A host. */
export class Host {
  listeners = {};
  warnings = [];
  operations = 0;
  others = {};
  live = new Map();

  /** @param {{web?: boolean, commands?: boolean}} profile what it has beside what every profile has */
  constructor({ web = true, commands = true } = {}) {
    const agents = {
      at: () => ({ list: () => [...this.live.values()], get: (id) => this.live.get(id) }),
    };
    this.services = { tools: new Tools(this), systemPrompt: new SystemPrompt(this), agents };
    this.root = new Context(this);
    this.tools = this.root.tools;
    this.others.dshHomePath = undefined;
    if (commands) this.others.commands = this.#registry((table, { name, ...rest }) => [table, name, rest]);
    if (web) this.others.webServer = this.#routes();
  }

  #registry() {
    const layers = new Layers(this);
    return { at: (ctx) => ({ register: (definition) => layers.insert(ctx, definition.name, definition) }), find: (name) => layers.of(undefined).named.get(name) };
  }

  // Not bound to effects, as in the real host.
  #routes() {
    const table = new Map();
    return {
      table,
      register(route) {
        if (table.has(route.path)) throw new Error(`webserver: duplicate exact route "${route.path}"`);
        table.set(route.path, route);
        return () => table.delete(route.path);
      },
    };
  }

  emit(event, payload) {
    this.events = (this.events ?? 0) + 1;
    if (this.events > 100_000) throw new Error('an event storm');
    for (const listener of [...(this.listeners[event] ?? [])]) listener(payload);
  }

  /** Loads a plugin. Gives what unloads it. */
  load(plugin, config) {
    const ctx = new Context(this);
    plugin.apply(ctx, config);
    return () => ctx.dispose();
  }

  /** Registers the tools of an MCP server, and its instructions. Gives what takes the tools away. */
  connect(server, names, instructions) {
    if (instructions) this.root.systemPrompt.section({ name: `mcp:${server}`, order: 3100, text: instructions });
    const disposers = names.map((name) => this.tools.register(tool(`mcp__${server}__${name}`)));
    return () => disposers.forEach((dispose) => dispose());
  }

  /** An agent comes to be. What a listener returns is not waited for. */
  create(id, { parent, origin } = {}) {
    const agent = { id, session: { header: { id, parentSession: parent, origin } } };
    agent.ctx = new Context(this, agent);
    this.live.set(id, agent);
    this.returned = [];
    for (const listener of this.listeners['agent/created'] ?? []) this.returned.push(listener({ agent }));
    return agent;
  }

  dispose(agent) {
    this.live.delete(agent.id);
    this.emit('agent/disposed', { agent });
    agent.ctx.dispose();
  }

  /** What a step of an agent sends to the model. */
  prompt(agent) {
    return this.services.systemPrompt.assemble(this.tools, agent);
  }

  /** Names of the bridged tools that reach the model. */
  reaching(agent) {
    return JSON.parse(this.prompt(agent)).tools.map(({ name }) => name).filter((name) => name.startsWith('mcp__'));
  }

  /** A line that is typed in an agent's session. */
  async type(agent, line) {
    const [word, ...rest] = line.slice(1).split(' ');
    const handler = this.others.commands.find(word).handler;
    return handler({ agent, rawInput: rest.length > 0 ? ` ${rest.join(' ')}` : '', attachments: [], signal: undefined });
  }
}

/** A tool as a host has it. */
export const tool = (name) => ({ name, description: `does ${name}`, parameters: { type: 'object', properties: {} } });

/** What runs in the current turn of the event loop has run. */
export const settled = () => new Promise((resolve) => { setImmediate(resolve); });
