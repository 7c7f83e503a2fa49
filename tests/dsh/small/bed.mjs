// The host's real contracts without the host: cordis, its scopes, tools, prompt sections and agents, from npm.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Context } from '@deepseek-ai/cordis';
import AgentRegistry from '@deepseek-ai/dsh-agent';
import { createScope } from '@deepseek-ai/dsh-scope';
import SystemPrompt, { renderPrompt } from '@deepseek-ai/dsh-system-prompt';
import ToolRuntime from '@deepseek-ai/dsh-tools';

export { createScope };

/** A tool as the real registry takes it. */
export const tool = (name) => ({
  name,
  description: `does ${name}`,
  parameters: { type: 'object', properties: { x: { type: 'string' } } },
  output: { schema: { type: 'object' }, render: () => [] },
  execute: async () => ({}),
});

/** Starts the real services, in a home of its own. */
export async function start({ mode = 'native' } = {}) {
  process.env.DSH_HOME = mkdtempSync(join(tmpdir(), 'rea-small-'));
  process.on('exit', () => rmSync(process.env.DSH_HOME, { recursive: true, force: true }));
  const root = new Context();
  await root.plugin(SystemPrompt, {});
  await root.plugin(ToolRuntime, { mode });
  await root.plugin(AgentRegistry, {});
  const ctx = await new Promise((resolve) => { root.inject(['tools', 'systemPrompt', 'agents'], resolve); });
  return new Bed(ctx);
}

class Bed {
  commands = new Map();

  constructor(ctx) {
    this.ctx = ctx;
    this.count = { events: 0, operations: 0 };
    ctx.on('tools/change', () => { this.count.events += 1; });
    // As much of the commands as is needed to type one.
    ctx.provide('commands', {
      register: (command) => {
        if (this.commands.has(command.name)) throw new Error('duplicate');
        this.commands.set(command.name, command);
        return () => this.commands.delete(command.name);
      },
    });
  }

  /** Loads a plugin; gives its fiber, whose `dispose` unloads it. */
  async load(plugin, config) {
    const fiber = this.ctx.plugin(plugin, config);
    await fiber;
    return fiber;
  }

  /** An agent of the real registry, with a scope of its own. */
  create(id, header = {}) {
    const agent = { id, session: { id, header: { id, ...header } } };
    const scope = createScope(this.ctx, agent);
    agent.ctx = scope.ctx;
    agent.end = this.ctx.agents.register(agent);
    return agent;
  }

  /** Everything that a request of an agent would carry, as bytes. */
  async request(agent) {
    const assembly = await this.ctx.systemPrompt.assemble({ scope: agent, agent });
    return JSON.stringify({ tools: assembly.tools, system: renderPrompt(assembly) });
  }

  /** Names of bridged tools in it. */
  async reaching(agent) {
    return JSON.parse(await this.request(agent)).tools.map(({ name }) => name).filter((name) => name.startsWith('mcp__'));
  }

  /** Registers a server's tools as the real bridge does. Gives what takes them away. */
  connect(server, names) {
    const disposers = names.map((name) => this.ctx.tools.register(tool(`mcp__${server}__${name}`)));
    return () => disposers.forEach((dispose) => dispose());
  }

  async type(agent, words) {
    return this.commands.get('rea').handler({ agent, rawInput: ` ${words}` });
  }
}

/** What runs in the current turn of the event loop has run. */
export const settled = () => new Promise((resolve) => { setImmediate(resolve); });
