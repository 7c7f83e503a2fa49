// The plugin in the whole host. What reaches the model is read from the requests that a recording model got, never from
// the plugin's own word.
//
//   node checks.mjs --plugin FOLDER [--browser PROGRAM] [--screenshot FILE]
//
// One line a check; the last line sums up.

import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { check, finish, same, section, skip } from '../../clients/typescript/checks.mjs';
import { Home } from './host.mjs';
import { calling, startModel, textOf } from './model.mjs';
import { pill } from './pill.mjs';

const { values: options } = parseArgs({
  options: { plugin: { type: 'string' }, browser: { type: 'string' }, screenshot: { type: 'string' } },
});
const here = import.meta.dirname ?? dirname(new URL(import.meta.url).pathname);
const folder = mkdtempSync(join(tmpdir(), 'rea-whole-'));
const model = await startModel();
const running = new Set();

const MCP = `- insert:
    - id: mcp-rea
      name: '@deepseek-ai/dsh-mcp-client'
      config: { transport: stdio, serverName: rea, command: node, args: ['${join(here, 'demo-mcp.mjs')}'] }
`;
const SECOND = `${MCP}    - id: mcp-second
      name: '@deepseek-ai/dsh-mcp-client'
      config: { transport: stdio, serverName: rea__x, command: node, args: ['${join(here, 'demo-mcp.mjs')}'] }
`;
const OFF = `${MCP}- id: rea-toggle\n  disabled: true\n`;
const HIDDEN = 'Error: unknown tool "mcp__rea__tool_0"';

const names = (request) => (request.tools ?? []).map((tool) => tool.function.name);
const rea = (request) => names(request).filter((name) => name.startsWith('mcp__rea__'));
const systemOf = (request) => textOf(request.messages[0]);
const results = (request) => request.messages.filter(({ role }) => role === 'tool').map(textOf);
/** Everything before the conversation: what a flip changes, and nothing else. */
const context = (request) => ({ tools: request.tools, system: systemOf(request) });
const traces = (request) => ({ tools: rea(request).length, instructions: systemOf(request).includes('REA-INSTRUCTIONS') });
const NONE = { tools: 0, instructions: false };
const ALL = { tools: 6, instructions: true };

async function until(what, work, limit = 30_000) {
  for (const end = Date.now() + limit; Date.now() < end; await pause(50)) {
    const found = await work();
    if (found) return found;
  }
  throw new Error(`${what}: not within ${limit / 1000} s`);
}

let prompts = 0;

/** The titles of sessions: the model names them after their first prompt. */
const titles = new Map();

/** Prompts a session, and gives the requests that come of it: as many as there must be. */
async function ask(web, session, { text = () => '', marks = [''] } = {}) {
  prompts += 1;
  const mark = `mark-${prompts}`;
  if (!titles.has(session)) titles.set(session, mark);
  const before = model.requests.length;
  const of = (name) => model.requests.slice(before)
    .filter((request) => names(request).length > 0 && request.messages.some((message) => message.role === 'user' && new RegExp(`${mark}${name}\\b(?!-)`, 'u').test(textOf(message))));
  await web.prompt(session, `${mark} ${text(mark)}`);
  const found = [];
  for (const [name, count] of marks.map((name) => [].concat(name, 1))) {
    found.push(await until(`request ${mark}${name}`, () => (of(name).length >= count ? of(name) : undefined)));
  }
  return found.map((requests) => requests.at(-1));
}

/** The request that a plain prompt becomes. */
const asked = async (web, session) => (await ask(web, session))[0];

async function started(home, env) {
  const web = await home.start(env);
  running.add(web);
  return web;
}

async function stopped(web) {
  running.delete(web);
  await web.stop();
}

/** A repository in which the plugin lies in a folder, as in ours. */
function repository() {
  const path = join(folder, 'repository');
  mkdirSync(join(path, 'host'), { recursive: true });
  cpSync(options.plugin, join(path, 'host/dsh'), { recursive: true });
  const git = (...words) => execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.invalid', ...words], { cwd: path, stdio: 'ignore' });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'as it is');
  return `git+file://${path}#path:/host/dsh`;
}

const home = new Home(folder, model.address);
let whole;
let web;

try {
  await section('the host without the plugin', async () => {
    await home.dsh('plugin', '--profile', 'web', 'add', `link:${join(here, 'helper')}`);
    home.patch('web', MCP);
    web = await started(home);
    const session = await web.session();
    whole = context(await asked(web, session));
    same('it sends tools and instructions', traces({ tools: whole.tools, messages: [{ content: whole.system }] }), ALL);
    same('in every step', context(await asked(web, session)), whole);
    await stopped(web);
  });

  await section('installed from a git address', async () => {
    await home.dsh('plugin', '--profile', 'web', 'add', repository());
    web = await started(home);
    check('it is there', (await web.state('x'))?.session === 'x', web.log);
  });

  const [one, two] = [await web.session(), await web.session()];
  await section('flips', async () => {
    same('the first request of a new session', traces(await asked(web, one)), NONE);
    check('/rea status says so', /off/u.test(await web.type(one, '/rea status')));
    for (const round of [1, 2]) {
      await web.type(one, '/rea on');
      same(`on: exactly what the host without the plugin sends, ${round}`, context(await asked(web, one)), whole);
      same(`another session stays off, ${round}`, traces(await asked(web, two)), NONE);
      await web.type(one, '/rea off');
      const off = await asked(web, one);
      same(`off, ${round}`, traces(off), NONE);
      same(`and nothing else is missing, ${round}`, names(off), whole.tools.map((tool) => tool.function.name).filter((name) => !name.startsWith('mcp__rea__')));
    }
    const [called] = await ask(web, two, { text: () => calling('mcp__rea__tool_0', {}), marks: [['', 2]] });
    same('a call by name while off', results(called).at(-1), HIDDEN);
    await web.type(two, '/rea on');
    same('the answer of a wrong command', /Usage: \/rea/u.test(await web.type(two, '/rea perhaps')), true);
    const [grown] = await ask(web, two, { text: () => calling('mcp__rea__tool_0', { grow: true }), marks: [['', 2]] });
    check('a call by name while on', /did tool_0/u.test(results(grown).at(-1)), results(grown));
    await until('the new tool', async () => (await web.state(two)).tools === 7);
    same('a tool that the server adds is hidden where it is off', traces(await asked(web, one)), NONE);
    same('and there where it is on', rea(await asked(web, two)).length, 7);
    same('shortened and sanitised names are among them', rea(await asked(web, two)).filter((name) => /_[0-9a-f]{12}$/u.test(name)).length, 2);
  });

  await section('sub-agents', async () => {
    const words = (prompt) => ({ description: 'd', prompt, run_in_background: false });
    const nested = (mark) => calling('subagent', words(`${mark}-child ${calling('subagent', words(`${mark}-deep`))}`));
    const follow = async () => (await ask(web, one, { text: nested, marks: [['', 2], ['-child', 2], '-deep'] })).map((request) => rea(request).length);
    same('of an off conversation: it, its sub-agent, and the sub-agent of that', await follow(), [0, 0, 0]);
    await web.type(one, '/rea on');
    same('of an on one', await follow(), [7, 7, 7]);
    const answer = await web.call('session.fork', { sessionId: one });
    const forked = JSON.stringify(answer).match(/"(?:sessionId|childId|id)":"([^"]+)"/u)?.[1];
    same('a fork that a person makes is a conversation of its own', traces(await asked(web, forked)), NONE);
  });

  await section('positions that others change, and that outlive the host', async () => {
    const writer = fork(join(options.plugin, 'test/writer.mjs'), [join(home.path, 'rea-toggle.json'), two, 'off'], { stdio: 'ignore' });
    const [code] = await once(writer, 'exit');
    same('another program switched off', [code, traces(await asked(web, two))], [0, NONE]);
    await stopped(web);
    web = await started(home);
    const resumed = [];
    for (const session of [one, two]) resumed.push(rea(await asked(web, session)).length);
    same('the first requests after a restart', resumed, [6, 0]);
  });

  await section('unplugged and plugged in again while it runs', async () => {
    for (const round of [1, 2]) {
      home.patch('web', OFF);
      await until('the route goes', async () => (await web.state(two)) === undefined);
      same(`unplugged: exactly what the host without the plugin sends, ${round}`, context(await asked(web, two)), whole);
      home.patch('web', MCP);
      await until('the route comes', async () => (await web.state(two))?.session === two);
      same(`plugged in: agents that are alive are covered, ${round}`, [traces(await asked(web, two)), traces(await asked(web, one))], [NONE, ALL]);
    }
    check('no registration met itself', !/duplicate|already registered/u.test(web.log), web.log);
  });

  await section('a server whose name begins like that of the governed one', async () => {
    home.patch('web', SECOND);
    const request = await until('its tools', async () => {
      const found = await asked(web, two);
      return names(found).some((name) => name.startsWith('mcp__rea__x__')) ? found : undefined;
    });
    same('all of its tools stay, and none of the other', rea(request).map((name) => name.startsWith('mcp__rea__x__')), Array(6).fill(true));
    home.patch('web', MCP);
    await until('it goes', async () => rea(await asked(web, two)).length === 0);
  });

  await section('another preset', async () => {
    const session = await web.session();
    for (const agentPreset of ['minimal', 'standard']) {
      await web.call('agentPreset.select', { sessionId: session, agentPreset });
      check(`${agentPreset}: nothing of rea`, (await web.state(session)).enabled === false);
    }
    same('the first request', traces(await asked(web, session)), NONE);
  });

  await section('the pill', async () => {
    if (!options.browser) {
      skip('the pill in a browser', 'no browser was named');
      return;
    }
    const sessions = [one, two].map((id) => ({ id, title: titles.get(id) }));
    await pill({ web, sessions, options, until, unplug: () => home.patch('web', OFF), plug: () => home.patch('web', MCP) });
    same('what the pill showed last is what reaches the model', traces(await asked(web, one)), NONE);
  });
  await stopped(web);

  await section('code mode', async () => {
    web = await started(home, { DSH_TOOLS_MODE: 'code' });
    const session = await web.session();
    const off = await asked(web, session);
    same('off: no trace in tools or text', [names(off), systemOf(off).includes('mcp__rea__'), traces(off).instructions], [['run_code'], false, false]);
    await web.type(session, '/rea on');
    const on = await asked(web, session);
    same('on: in the text', [names(on), systemOf(on).includes('mcp__rea__tool_0'), traces(on).instructions], [['run_code'], true, true]);
    await stopped(web);
  });

  await section('a profile without a web server, installed from a folder', async () => {
    for (const path of [join(here, 'helper'), options.plugin]) await home.dsh('plugin', '--profile', 'headless', 'add', `link:${path}`);
    home.patch('headless', MCP);
    const before = model.requests.length;
    await home.dsh('--profile', 'headless', 'say hi');
    const request = model.requests.slice(before).find((one) => names(one).length > 0);
    same('the first request', traces(request), NONE);
    home.patch('headless', `${MCP}- id: rea-toggle\n  config: { servers: [rea, ''] }\n`);
    const text = await home.dsh('--profile', 'headless', 'say hi').catch((error) => error.stdout + error.stderr);
    check('a mistake in the config is named', text.includes('servers[1]'), text);
  });
} catch (error) {
  check('it goes through', false, error.stack, web?.log);
} finally {
  for (const one of running) await one.stop();
  model.close();
  rmSync(folder, { recursive: true, force: true });
  finish();
  process.exit();
}
