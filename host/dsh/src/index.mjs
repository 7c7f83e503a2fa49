// The host half of the plugin: events of DSH in, decisions of the component out.

import { Agents } from './agents.mjs';
import { commandOf } from './command.mjs';
import { Policy, Refused } from './policy.mjs';
import { routeOf } from './route.mjs';
import { sayer } from './say.mjs';
import { statePath } from './state-home.mjs';
import { Store } from './store.mjs';

/** The plugin's name in the host. */
export const name = 'dsh-rea-toggle';

/** What every profile has. A service that a profile may lack (web server, commands) would keep the host from starting. */
export const inject = ['tools', 'systemPrompt', 'agents'];

/**
 * Starts the plugin. When it returns every live agent is covered.
 * @param {object} ctx the host's context
 * @param {{server?: string, servers?: string[], defaultEnabled?: boolean}} [config]
 * @throws if the configuration is wrong, with the field
 */
export function apply(ctx, config) {
  const say = sayer(ctx);
  const path = statePath(service(ctx, 'dshHomePath'));
  const agents = new Agents(ctx, say);
  const policy = policyOf(config, path, {
    heldOf: (id) => agents.heldOf(id),
    carryOut: (orders) => agents.carryOut(orders),
    warn: say.warn,
  });
  agents.policy = policy;
  const store = new Store(path, policy, (orders) => agents.carryOut(orders), say.warn);
  // A listener that throws would cost others: the new agent, or all tools of an MCP server.
  const safely = (work) => (...words) => {
    try {
      return work(...words);
    } catch (error) {
      say.once(`listener ${error?.message}`, `the last decision stands: ${error?.message ?? error}`);
      return undefined;
    }
  };

  // Registrations on an agent's scope belong to the agent: without this they would outlive the plugin.
  ctx.effect(() => () => agents.liftAll());
  store.refresh();
  agents.reconcile();
  ctx.on('agent/created', safely(({ agent }) => agents.seen([agent])));
  ctx.on('agent/disposed', safely(({ agent }) => agents.gone(agent)));
  ctx.on('tools/change', safely(() => agents.changed()));
  safely(() => void agents.seen(ctx.agents.list()))();
  ctx.effect(() => store.watch());
  beforeEachPrompt(ctx, safely(() => {
    store.refresh();
    agents.reconcile();
  }));

  const parts = { agents, policy, store };
  ctx.inject(['commands'], safely((inner) => {
    inner.commands.register(commandOf(parts));
  }));
  ctx.inject(['webServer'], safely((inner) => {
    const route = routeOf(parts, () => trustedHosts(inner));
    inner.effect(() => inner.webServer.register(route));
  }));
}

function policyOf(config, path, host) {
  try {
    return new Policy(config, path, host);
  } catch (error) {
    if (error instanceof Refused) throw new Error(`the config of ${name} is wrong: ${error.message}`, { cause: error });
    throw error;
  }
}

/**
 * Does something right before a prompt is assembled: so a step goes by what the file says at that moment, and by the
 * tools of that moment, also where no event came in between. Variables are the first that the host evaluates; this one
 * has no value, and no text refers to it.
 */
function beforeEachPrompt(ctx, work) {
  try {
    ctx.systemPrompt.variable?.('rea_toggle', () => work());
  } catch {
    // Without it flips of others are followed a quarter of a second later.
  }
}

/** The authorities that the host's own fence lets through beside the loopback ones. */
function trustedHosts(ctx) {
  const hosts = service(ctx, 'connection')?.trustedHosts;
  return Array.isArray(hosts) ? hosts.filter((host) => typeof host === 'string') : [];
}

/** A service that may not be there. */
function service(ctx, name) {
  try {
    return ctx.get?.(name);
  } catch {
    return undefined;
  }
}
