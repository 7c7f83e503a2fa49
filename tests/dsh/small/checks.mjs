// What the plugin does with the host's real contracts.
//
//   node checks.mjs --plugin FOLDER
//
// One line a check; the last line sums up. A run that doesn't end (one event that begets the next) fails after a minute.

import { fork } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { createScope, settled, start, tool } from './bed.mjs';
import { check, finish, same, section } from '../../clients/typescript/checks.mjs';

const { values: options } = parseArgs({ options: { plugin: { type: 'string' }, inside: { type: 'boolean', default: false } } });

if (!options.inside) {
  // An endless synchronous loop can only be seen from another process.
  const child = fork(process.argv[1], [...process.argv.slice(2), '--inside']);
  const late = setTimeout(() => {
    child.kill('SIGKILL');
    check('it ends within a minute', false);
    finish();
  }, 60_000);
  child.on('exit', (code) => {
    clearTimeout(late);
    process.exitCode ??= code ?? 1;
  });
} else {
  await all();
  finish();
  // Timers of the host's own services would keep the process alive.
  process.exit();
}

async function all() {
  const plugin = await import(pathToFileURL(join(options.plugin, 'src/index.mjs')));
  const INSTRUCTIONS = '### MCP server: rea\nREA-INSTRUCTIONS';
  const NAMES = Array.from({ length: 207 }, (_, index) => `tool_${index}`);

  /** Tools and instructions of `rea` and of another server, and the plugin. */
  const bed = async ({ load = true, ...more } = {}) => {
    const host = await start(more);
    host.ctx.systemPrompt.section({ name: 'mcp:rea', order: 3100, text: INSTRUCTIONS });
    host.ctx.systemPrompt.section({ name: 'mcp:other', order: 3100, text: 'OTHER' });
    host.ctx.systemPrompt.section({ name: 'last', order: 9000, text: 'THE END' });
    host.ctx.tools.register(tool('bash'));
    host.disconnect = host.connect('rea', NAMES);
    host.connect('other', ['one']);
    if (load) host.fiber = await host.load(plugin);
    return host;
  };

  await section('what off removes and on restores', async () => {
    const host = await bed({ load: false });
    const agent = host.create('a');
    const whole = await host.request(agent);
    const fiber = await host.load(plugin);
    same('an agent that was alive before the plugin is covered', await host.reaching(agent), ['mcp__other__one']);
    const hidden = await host.request(agent);
    check('no instructions', !hidden.includes('REA-INSTRUCTIONS') && hidden.includes('OTHER') && hidden.includes('THE END'), hidden);
    for (let round = 1; round <= 3; round += 1) {
      await host.type(agent, 'on');
      same(`on restores the same bytes, ${round}`, await host.request(agent), whole);
      await host.type(agent, 'off');
      same(`off hides the same, ${round}`, await host.request(agent), hidden);
    }
    const called = await host.ctx.tools.execute({ agent, call: { id: '1', name: 'mcp__rea__tool_0', arguments: '{}' } }).catch((error) => error);
    check('dispatch does not know the tool', host.ctx.tools.get('mcp__rea__tool_0', agent) === undefined, called);
    await fiber.dispose();
    same('unloading restores the same bytes', await host.request(agent), whole);
    for (let round = 1; round <= 2; round += 1) {
      const again = await host.load(plugin);
      same(`loaded again, ${round}`, await host.request(agent), hidden);
      await again.dispose();
      same(`and unloaded, ${round}`, await host.request(agent), whole);
    }
  });

  await section('a new agent is covered in the moment in which it is announced', async () => {
    const host = await bed();
    const agent = host.create('a');
    check('no tool of rea right after', host.ctx.tools.get('mcp__rea__tool_0', agent) === undefined);
    await host.type(agent, 'on');
    const child = host.create('b', { parentSession: 'a', origin: 'subagent' });
    const deep = host.create('c', { parentSession: 'b', origin: 'subagent' });
    const forked = host.create('d', { parentSession: 'a' });
    same('sub-agents follow, a fork does not', await Promise.all([child, deep, forked].map(async (one) => (await host.reaching(one)).length)), [208, 208, 1]);
    await host.type(agent, 'off');
    same('also while they live', await Promise.all([child, deep].map(async (one) => (await host.reaching(one)).length)), [1, 1]);
    await child.end();
    same('a sub-agent of one that is gone', (await host.reaching(deep)).length, 1);
  });

  await section('a storm of events', async () => {
    const host = await bed();
    const agents = ['a', 'b', 'c'].map((id) => host.create(id));
    const count = async (work) => {
      await settled();
      host.count.events = 0;
      await work();
      await settled();
      return host.count.events;
    };
    const resync = await count(() => {
      host.disconnect();
      host.disconnect = host.connect('rea', NAMES);
    });
    same('a re-sync of 207 tools is 414 events and none of ours', resync, 414);
    const grown = await count(() => host.ctx.tools.register(tool('mcp__rea__grown')));
    same('a new tool: its event, and two for each agent that is off', grown, 1 + 2 * agents.length);
    same('it is hidden', await host.reaching(agents[0]), ['mcp__other__one']);
    same('a tool of others costs nothing', await count(() => host.ctx.tools.register(tool('unrelated'))), 1);
    same('a flip costs one for its agent', await count(() => host.type(agents[0], 'on')), 1);
    await host.type(agents[0], 'off');
    same('a new name in the same turn as a prompt is hidden in it', await (() => {
      host.ctx.tools.register(tool('mcp__rea__at_once'));
      return host.reaching(agents[1]);
    })(), ['mcp__other__one']);
    host.disconnect();
    await settled();
    same('none connected: no error, and no tools', await host.reaching(agents[2]), ['mcp__other__one']);
    host.connect('rea', NAMES);
    same('back: hidden in the same turn', host.ctx.tools.get('mcp__rea__tool_7', agents[2]), undefined);
  });

  await section('others on the same agent', async () => {
    const host = await bed();
    const agent = host.create('a');
    const theirs = agent.ctx.tools.restrict({ deny: ['mcp__other__one'] });
    same('masks intersect', await host.reaching(agent), []);
    await host.type(agent, 'on');
    same('lifting ours leaves theirs', (await host.reaching(agent)).length, 207);
    theirs();
    agent.ctx.tools.register(tool('mcp__rea__own'));
    await host.type(agent, 'off');
    same('a tool of the agent itself can not be denied, and is not tried', await host.reaching(agent), ['mcp__other__one', 'mcp__rea__own']);

    const shadowed = { id: 's', session: { id: 's', header: { id: 's' } } };
    shadowed.ctx = createScope(host.ctx, shadowed).ctx;
    shadowed.ctx.systemPrompt.section({ name: 'mcp:rea', order: 3100, text: 'THEIRS' });
    host.ctx.agents.register(shadowed);
    same('a section that another one shadows: the tools are masked all the same', await host.reaching(shadowed), ['mcp__other__one']);
    check('and theirs stays', (await host.request(shadowed)).includes('THEIRS'));
    await host.fiber.dispose();
    check('also when we go', (await host.request(shadowed)).includes('THEIRS'));
  });

  await section('braces in instructions', async () => {
    const host = await start();
    host.ctx.systemPrompt.section({ name: 'mcp:rea', order: 3100, text: 'with {{braces}}' });
    await host.load(plugin);
    const agent = host.create('a');
    check('an agent that is off is spared their error', (await host.request(agent)).length > 0);
    host.ctx.systemPrompt.section({ name: 'mcp:late', order: 3100, text: 'LATE' });
    check('and other sections stay', (await host.request(agent)).includes('LATE'));
  });

  await section('scopes between the agent and all', async () => {
    const host = await bed();
    const preset = {};
    const between = createScope(host.ctx, preset);
    between.ctx.tools.register(tool('mcp__rea__preset'));
    const agent = { id: 'p', session: { id: 'p', header: { id: 'p' } } };
    agent.ctx = createScope(host.ctx, agent, { parent: preset }).ctx;
    host.ctx.agents.register(agent);
    same('what a preset brings is hidden too', await host.reaching(agent), ['mcp__other__one']);
    same('and of no concern to others', (await host.type(host.create('q'), 'on')).kind, 'success');
    await host.type(agent, 'on');
    same('on brings it back', (await host.reaching(agent)).length, 209);
  });

  await section('what the models of the unit tests say', async () => {
    const { Host, tool: modelled } = await import(pathToFileURL(join(options.plugin, 'test/model.mjs')));
    const real = await start();
    const model = new Host();
    const agents = [real.create('a'), model.create('a')];
    const hosts = [[real.ctx.tools, tool], [model.tools, modelled]];
    const both = (work) => hosts.map(([tools, make], index) => {
      try {
        return work(tools, make, agents[index]);
      } catch (error) {
        return error.constructor.name;
      }
    });
    const agree = (name, work) => same(name, ...both(work));
    agree('names that can be denied are a set', (tools, make, agent) => {
      tools.register(make('g'));
      return tools.view(agent).restrictableNames instanceof Set && [...tools.view(agent).restrictableNames];
    });
    agree('an unknown name is refused', (tools, make, agent) => agent.ctx.tools.restrict({ deny: ['ghost'] }));
    agree('a context without a scope is refused', (tools) => tools.restrict({ deny: ['g'] }));
    agree('denied, and still deniable', (tools, make, agent) => {
      agent.ctx.tools.restrict({ deny: ['g'] });
      return [tools.get('g', agent) === undefined, [...tools.view(agent).restrictableNames], tools.schemas().map(({ name }) => name)];
    });
    agree('own tools can not be denied', (tools, make, agent) => {
      agent.ctx.tools.register(make('own'));
      return agent.ctx.tools.restrict({ deny: ['own'] });
    });
    agree('a disposer works once', (tools, make) => {
      const dispose = tools.register(make('twice'));
      dispose();
      return [dispose(), tools.get('twice')].map((one) => one === undefined);
    });
    agree('a section twice in a scope is refused', (tools, make, agent) => {
      agent.ctx.systemPrompt.section({ name: 's', order: 1, text: '' });
      return agent.ctx.systemPrompt.section({ name: 's', order: 1, text: '' });
    });
    agree('a section needs an order', (tools, make, agent) => agent.ctx.systemPrompt.section({ name: 'o', text: '' }));
  });
}
