// The switch, seen by the official TypeScript SDKs: `rea gateway` before the reference server and before a server with
// 207 tools.
//
//     node gateway.mjs --sdk sdk-1|client-2 --mode legacy|auto|modern --rea PATH --servers FILE
//
// FILE is JSON: {"everything": [command, arguments …], "stub": [command, arguments …]}.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { check, finish, same, section } from './checks.mjs';
import { Peer } from './peer.mjs';

const { values: options } = parseArgs({
  options: { sdk: { type: 'string' }, mode: { type: 'string' }, rea: { type: 'string' }, servers: { type: 'string' } },
});

/** One state file and one configuration. */
class Switch {
  constructor(folder, servers) {
    this.state = join(folder, 'state.json');
    this.config = join(folder, 'servers.json');
    const named = Object.entries(servers).map(([name, [command, ...args]]) => [name, { command, args }]);
    writeFileSync(this.config, JSON.stringify({ mcpServers: Object.fromEntries(named) }));
  }

  connect(conversation, onTools) {
    const args = ['gateway', '--no-prompt', '--config', this.config, '--state', this.state, '--conversation', conversation];
    return Peer.connect(options.rea, options.sdk, options.mode, args, onTools);
  }

  set(conversation, position) {
    execFileSync(options.rea, ['toggle', position, '--conversation', conversation, '--state', this.state]);
  }
}

/** The tools as the SDK shows them. In the modern era it leaves out a member that only the older one has. */
const tools = async (peer) => (await peer.tools()).map(({ execution, ...tool }) => tool);

const names = async (peer) => (await peer.tools()).map((tool) => tool.name);

/** Asks until the answer holds, or time is up. Gives the last answer. */
async function settled(ask, holds) {
  let seen;
  for (let round = 0; round < 100; round += 1) {
    seen = await ask();
    if (holds(seen)) return seen;
    await new Promise((done) => setTimeout(done, 50));
  }
  return seen;
}

async function refusal(peer, name) {
  const refused = await peer.refusal('tools/call', { name, arguments: {} });
  return `${refused.code} ${refused.message.replaceAll(name, 'NAME')}`;
}

async function oneServer(folder, line) {
  const governed = new Switch(folder, { one: line });
  // A server of the older era only is spoken to in it.
  const direct = await Peer.connect(line[0], options.sdk, options.mode === 'modern' ? 'legacy' : options.mode, line.slice(1));
  const wanted = await tools(direct);
  const off = await governed.connect('off');
  same('off: no tools', await names(off), []);
  check('off: no instructions', !off.instructions, off.instructions);
  governed.set('on', 'on');
  let told = 0;
  const on = await governed.connect('on', () => { told += 1; });
  same('on: the tools of the server', await tools(on), wanted);
  same('on: its prompts', await on.prompts(), await direct.prompts());
  check('on: its instructions', on.instructions && on.instructions === direct.instructions, on.instructions);
  const name = wanted[0].name;
  same('off: a call is refused like an unknown tool', await refusal(off, name), await refusal(off, 'nope'));
  same('unknown is unknown, on or off', await refusal(on, 'nope'), await refusal(off, name));
  const called = await on.client.callTool({ name: 'echo', arguments: { message: 'hello' } });
  check('on: a call', JSON.stringify(called).includes('hello'), called);
  governed.set('on', 'off');
  same('flipped off elsewhere', await settled(() => names(on), (seen) => seen.length === 0), []);
  if (options.sdk === 'client-2') {
    check('the client is told', (await settled(() => told, (count) => count > 0)) > 0);
  }
  governed.set('on', 'on');
  same('and on again, as before', await settled(() => tools(on), (seen) => seen.length > 0), wanted);
  same('the other conversation is still off', await names(off), []);
  await Promise.all([direct.close(), off.close(), on.close()]);
}

const folder = mkdtempSync(join(tmpdir(), 'rea-gateway-'));
try {
  console.log(`# TypeScript ${options.sdk}, ${options.mode}`);
  for (const [name, line] of Object.entries(JSON.parse(readFileSync(options.servers, 'utf8')))) {
    const own = mkdtempSync(join(folder, 'one-'));
    await section(name, () => oneServer(own, line));
  }
} catch (error) {
  check('the connection lasts', false, error.stack ?? String(error));
} finally {
  rmSync(folder, { recursive: true, force: true });
  finish();
}
