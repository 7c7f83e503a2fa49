// T1, T2, T5-T9, T12, T14-T16: what reaches the model, read from what the model's host assembles.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import * as plugin from '../src/index.mjs';
import { INSTRUCTIONS, NAMES, loaded, newHome, started } from './bed.mjs';
import { Host, settled, tool } from './model.mjs';

const REA = NAMES.map((name) => `mcp__rea__${name}`);
const ALL = ['mcp__other__one', ...REA].sort();

/** A host without the plugin, and what it sends. */
function bare() {
  const { host, unload } = started();
  unload();
  return host.prompt(host.create('never'));
}

test('T1 a new conversation is off, each has its own position, no other is touched', async () => {
  const { host } = started();
  const [one, two] = [host.create('one'), host.create('two')];
  assert.deepEqual(host.reaching(one), ['mcp__other__one']);
  await host.type(one, '/rea on');
  assert.deepEqual(host.reaching(one), ALL);
  assert.deepEqual(host.reaching(two), ['mcp__other__one']);
  await host.type(two, '/rea on');
  await host.type(one, '/rea off');
  assert.deepEqual([host.reaching(one).length, host.reaching(two).length], [1, 4]);
});

test('T2 a sub-agent follows the conversation that made it, at any depth, while it lives', async () => {
  const { host } = started();
  const root = host.create('root');
  const child = host.create('child', { parent: 'root', origin: 'subagent' });
  const grandchild = host.create('grandchild', { parent: 'child', origin: 'subagent' });
  for (const agent of [child, grandchild]) assert.equal(host.reaching(agent).length, 1);
  await host.type(root, '/rea on');
  for (const agent of [child, grandchild]) assert.equal(host.reaching(agent).length, 4);
  // Typed in a sub-agent it is the conversation that flips.
  await host.type(grandchild, '/rea off');
  for (const agent of [root, child, grandchild]) assert.equal(host.reaching(agent).length, 1);
  await host.type(root, '/rea on');
  assert.equal(host.reaching(host.create('late', { parent: 'grandchild', origin: 'subagent' })).length, 4);
});

test('T2 a fork that a person makes is a conversation of its own', async () => {
  const { host } = started();
  const root = host.create('root');
  await host.type(root, '/rea on');
  const fork = host.create('fork', { parent: 'root' });
  assert.equal(host.reaching(fork).length, 1);
  await host.type(fork, '/rea on');
  await host.type(root, '/rea off');
  assert.equal(host.reaching(fork).length, 4);
});

test('T2 a sub-agent of a sub-agent that is gone still follows, also when it is resumed', async () => {
  const { host } = started();
  const root = host.create('root');
  const child = host.create('child', { parent: 'root', origin: 'subagent' });
  await host.type(root, '/rea on');
  host.dispose(child);
  assert.equal(host.reaching(host.create('orphan', { parent: 'child', origin: 'subagent' })).length, 4);
});

test('T2 ancestors that were never live here are looked up, and a host that waits gets a promise', async () => {
  const { host } = started();
  const logs = { mid: { parentSession: 'root', origin: 'subagent' } };
  host.others.sessionPersistence = { inspect: async (id) => ({ meta: { id, ...logs[id] } }) };
  await host.type(host.create('root'), '/rea on');
  const deep = host.create('deep', { parent: 'mid', origin: 'subagent' });
  assert.equal(host.reaching(deep).length, 1);
  assert.equal(await host.returned[0], undefined);
  assert.equal(host.reaching(deep).length, 4);
});

test('T5 T8 on restores the same bytes, in the same order; nothing is restarted', async () => {
  const before = bare();
  const { host } = started();
  const agent = host.create('one');
  for (let round = 0; round < 3; round += 1) {
    await host.type(agent, '/rea on');
    assert.equal(host.prompt(agent), before);
    await host.type(agent, '/rea off');
    assert.notEqual(host.prompt(agent), before);
  }
});

test('T6 off is out of reach: schemas and dispatch, and run_code is not touched', async () => {
  const { host } = started();
  host.tools.register(tool('run_code'));
  const agent = host.create('one');
  assert.equal(host.tools.call(REA[0], agent), `Error: unknown tool "${REA[0]}"`);
  assert.equal(host.tools.call('run_code', agent), 'called run_code');
  assert.equal(host.tools.call('mcp__other__one', agent), 'called mcp__other__one');
  await host.type(agent, '/rea on');
  assert.equal(host.tools.call(REA[0], agent), `called ${REA[0]}`);
});

test('T7 off removes the section of the server for that agent alone, and no other section', async () => {
  const { host } = started();
  const [off, on] = [host.create('off'), host.create('on')];
  await host.type(on, '/rea on');
  const [hidden, whole] = [off, on].map((agent) => JSON.parse(host.prompt(agent)).system);
  assert.equal(hidden, 'you are\n\n### MCP server: other\n\nthe end');
  assert.equal(whole, `you are\n\n${INSTRUCTIONS}\n\n### MCP server: other\n\nthe end`);
});

test('T7 the section is shadowed at the place that the host names, if it names one', () => {
  const { host } = started();
  const orders = [];
  const agent = { id: 'a', session: {}, ctx: { tools: { restrict: () => () => {} }, systemPrompt: {
    getSectionOrder: (name) => (name === 'MCP_SERVERS' ? 4200 : undefined),
    section: ({ order }) => { orders.push(order); return () => {}; },
  } } };
  host.emit('agent/created', { agent });
  assert.deepEqual(orders, [4200]);
});

test('T9 an agent is covered when its creation is announced, and the listener returns nothing', () => {
  const { host } = started();
  const agent = host.create('one');
  assert.deepEqual(host.returned, [undefined]);
  assert.equal(host.tools.schemas(agent).filter(({ name }) => name.startsWith('mcp__rea')).length, 0);
});

test('T9 agents that were alive before the plugin are covered when it is loaded', () => {
  newHome();
  const host = new Host();
  const agent = host.create('early');
  host.connect('rea', NAMES, INSTRUCTIONS);
  assert.equal(host.reaching(agent).length, 3);
  loaded(host);
  assert.equal(host.tools.schemas(agent).length, 0);
});

test('T9 tools that appear while off are masked before the next prompt, at once and by the burst', async () => {
  const { host } = started({ connect: false });
  const agent = host.create('one');
  assert.deepEqual(host.reaching(agent), ['mcp__other__one']);
  const disconnect = host.connect('rea', NAMES, INSTRUCTIONS);
  // Not even a microtask in between.
  assert.deepEqual(host.reaching(agent), ['mcp__other__one']);
  await settled();
  host.tools.register(tool('mcp__rea__grown'));
  await settled();
  assert.deepEqual(host.tools.schemas(agent).map(({ name }) => name).sort(), ['bash', 'mcp__other__one']);
  disconnect();
  await settled();
  host.connect('rea', NAMES);
  assert.equal(host.tools.get(REA[0], agent), undefined, 'the old mask covers the same names');
});

test('T9 a mask is replaced without a moment in which there is none', async () => {
  const { host } = started();
  const agent = host.create('one');
  const seen = new Set();
  host.root.on('tools/change', () => REA.filter((name) => host.tools.get(name, agent)).forEach((name) => seen.add(name)));
  const before = host.operations;
  host.tools.register(tool('mcp__rea__grown'));
  await settled();
  assert.equal(host.operations - before, 3, 'one registered, one mask set, one lifted');
  assert.deepEqual([...seen], []);
});

test('T12 any bridged server can be governed, several too', async () => {
  const { host } = started({ config: { servers: ['other', 'rea'] } });
  const agent = host.create('one');
  assert.equal(JSON.parse(host.prompt(agent)).system, 'you are\n\nthe end');
  assert.deepEqual(host.reaching(agent), []);
  await host.type(agent, '/rea on');
  assert.equal(host.reaching(agent).length, 4);

  const single = started({ config: { server: 'other', servers: null } }).host;
  assert.deepEqual(single.reaching(single.create('one')), REA.sort());
});

test('T12 with defaultEnabled a conversation that was never touched is as without the plugin', async () => {
  const before = bare();
  const { host, home } = started({ config: { defaultEnabled: true } });
  const agent = host.create('one');
  assert.equal(host.prompt(agent), before);
  assert.equal(existsSync(home), false);
  await host.type(agent, '/rea off');
  assert.deepEqual(host.reaching(agent), ['mcp__other__one']);
});

test('T12 a mistake in the config names the field, and nothing is registered', () => {
  newHome();
  for (const [config, field] of [
    [{ servers: [] }, 'servers'], [{ servers: ['rea', 'rea'] }, 'servers[1]'], [{ server: '' }, 'server'],
    [{ server: 'a b' }, 'server'], [{ defaultEnabled: 'yes' }, 'defaultEnabled'], [[], ''], ['rea', ''],
  ]) {
    const host = new Host();
    assert.throws(() => host.load(plugin, config), (error) => error.message.includes(`config of dsh-rea-toggle is wrong: ${field}`));
    assert.equal(host.operations, 0);
  }
  const host = new Host();
  loaded(host, { colour: 'red' });
  assert.match(host.warnings.join(), /colour/u);
});

test('T14 unloading lifts every registration, and loading twice is no trouble', async () => {
  const before = bare();
  const { host, unload } = started();
  const agent = host.create('one');
  assert.notEqual(host.prompt(agent), before);
  unload();
  assert.equal(host.prompt(agent), before);
  assert.equal(host.others.webServer.table.size, 0);
  assert.equal(host.others.commands.find('rea'), undefined);
  for (let round = 0; round < 2; round += 1) {
    const again = host.load(plugin);
    assert.equal(host.reaching(agent).length, 1);
    again();
    assert.equal(host.prompt(agent), before);
  }
  assert.deepEqual(host.warnings, []);
  for (const listeners of Object.values(host.listeners)) assert.equal(listeners.size, 0);
});

test('T14 the plugin loads where there is no web server and no command', () => {
  const { host } = started({ profile: { web: false, commands: false } });
  assert.equal(host.reaching(host.create('one')).length, 1);
  assert.deepEqual(plugin.inject, ['tools', 'systemPrompt', 'agents']);
});

test('T15 a re-synced server of 207 tools costs no operation, a changed one two for each agent', async () => {
  const { host } = started({ connect: false });
  const names = Array.from({ length: 207 }, (_, index) => `t${index}`);
  const disconnect = host.connect('rea', names, INSTRUCTIONS);
  await settled();
  const agents = ['a', 'b', 'c'].map((id) => host.create(id));
  let own = host.operations;
  disconnect();
  host.connect('rea', names);
  await settled();
  assert.equal(host.operations - own, 2 * 207, 'only the operations of the server itself');
  own = host.operations;
  host.tools.register(tool('mcp__rea__new'));
  await settled();
  assert.equal(host.operations - own, 1 + 2 * agents.length);
  own = host.operations;
  host.tools.register(tool('unrelated'));
  await settled();
  assert.equal(host.operations - own, 1);
});

test('T15 two that answer each other do not hold up the host', async () => {
  const { host } = started();
  const agent = host.create('one');
  let answers = 0;
  // Somebody who brings another tool as soon as all of them are masked.
  host.root.on('tools/change', () => {
    if (answers >= 500 || host.tools.schemas(agent).some(({ name }) => name.startsWith('mcp__rea'))) return;
    answers += 1;
    const number = answers;
    queueMicrotask(() => host.tools.register(tool(`mcp__rea__again_${number}`)));
  });
  host.tools.register(tool('mcp__rea__first'));
  let turns = 0;
  for (; answers < 500; turns += 1) await settled();
  assert.ok(turns > 10, `other work got ${turns} turns in between`);
});

test('T16 what belongs to others stays: rea is neither rea2 nor the owner of rea__x', async () => {
  const { host } = started();
  host.others.loader = { entries: () => [{ options: { config: { serverName: 'rea' } } }, { options: { config: { serverName: 'rea__x' } } }] };
  host.connect('rea2', ['tool'], 'second');
  host.connect('rea__x', ['tool'], 'third');
  host.tools.register(tool('mcp_rea_tool'));
  host.tools.register(tool('rea'));
  const agent = host.create('one');
  assert.deepEqual(host.reaching(agent), ['mcp__other__one', 'mcp__rea2__tool', 'mcp__rea__x__tool']);
  assert.match(host.prompt(agent), /second.*third/u);
  // An agent's own tool can't be denied, and isn't tried.
  agent.ctx.tools.register(tool('mcp__rea__own'));
  await settled();
  assert.deepEqual(host.reaching(agent).includes('mcp__rea__own'), true);
  assert.deepEqual(host.warnings, []);
});

test('T16 sanitised and shortened names are recognised', () => {
  const { host } = started();
  for (const name of ['dotted_name_5e936d04d171', `${'l'.repeat(40)}_0123456789ab`]) host.tools.register(tool(`mcp__rea__${name}`));
  assert.deepEqual(host.reaching(host.create('one')), ['mcp__other__one']);
});

test('a section that somebody else shadows is reported, and the tools are masked all the same', async () => {
  const { host } = started();
  const agent = { id: 'one', session: { header: {} } };
  const other = host.create('two');
  agent.ctx = new (other.ctx.constructor)(host, agent);
  const theirs = agent.ctx.systemPrompt.section({ name: 'mcp:rea', order: 1, text: 'theirs' });
  host.live.set('one', agent);
  host.emit('agent/created', { agent });
  assert.equal(host.reaching(agent).length, 1);
  assert.match(host.prompt(agent), /theirs/u);
  await host.type(agent, '/rea on');
  await host.type(agent, '/rea off');
  await host.type(agent, '/rea on');
  assert.match(host.prompt(agent), /theirs/u);
  assert.equal(host.warnings.filter((text) => text.includes('instructions of agent one')).length, 1);
  await host.type(agent, '/rea off');
  theirs();
  host.tools.register(tool('mcp__rea__event'));
  await settled();
  assert.doesNotMatch(host.prompt(agent), /MCP server: rea/u, 'the next event asks again');
});

test('a listener never throws, whatever the host gives it', () => {
  const { host } = started();
  for (const payload of [{ agent: {} }, {}, undefined, { agent: { id: 7 } }]) {
    host.emit('agent/created', payload);
    host.emit('agent/disposed', payload);
  }
  assert.ok(host.warnings.length > 0);
  assert.equal(host.reaching(host.create('one')).length, 1);
});

test('a host that does not say what can be denied is warned of once', async () => {
  newHome();
  const host = new Host();
  host.connect('rea', NAMES);
  const { at } = host.services.tools;
  host.services.tools.at = (ctx) => ({ ...at.call(host.services.tools, ctx), view: undefined });
  loaded(host);
  assert.equal(host.reaching(host.create('one')).length, 0);
  host.create('two');
  assert.equal(host.warnings.length, 1);
});

test('nothing is written for a conversation that was never touched', async () => {
  const { host, home } = started();
  const agent = host.create('one');
  host.prompt(agent);
  await host.type(agent, '/rea status');
  assert.equal(existsSync(home), false);
  await host.type(agent, '/rea on');
  assert.deepEqual(Object.keys(JSON.parse(readFileSync(home)).conversations), ['one']);
});
