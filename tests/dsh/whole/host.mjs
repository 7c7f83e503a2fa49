// The whole host, as a process of its own: profiles, start, stop, and requests as its page sends them.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const here = import.meta.dirname ?? dirname(new URL(import.meta.url).pathname);

/** The host wants Node.js 22: this one if it is, else the one that was installed beside. */
const node = Number(process.versions.node.split('.')[0]) >= 22
  ? process.execPath
  : join(here, `node_modules/node-${process.platform}-${process.arch}/bin/node`);

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** A home of DSH with nothing in it, and what runs on it. */
export class Home {
  #env;

  /** @param {string} folder @param {string} model where the model listens */
  constructor(folder, model) {
    this.folder = folder;
    this.path = join(folder, 'home');
    this.work = join(folder, 'work');
    this.port = undefined;
    for (const path of [this.path, this.work]) mkdirSync(path, { recursive: true });
    const programs = [dirname(node), join(here, 'node_modules/.bin'), join(here, 'host/node_modules/.bin')];
    this.#env = {
      ...process.env,
      PATH: [...programs, process.env.PATH].join(delimiter),
      DSH_HOME: this.path,
      // Nothing is kept in the home of whoever runs this.
      npm_config_store_dir: join(here, 'store'),
      DEEPSEEK_BASE_URL: model,
      DEEPSEEK_API_KEY: 'sk-fake-0000',
    };
  }

  /** Runs `dsh` to its end. */
  async dsh(...words) {
    const { stdout, stderr } = await run('dsh', words, { cwd: this.work, env: this.#env, timeout: 120_000 });
    return stdout + stderr;
  }

  /** The person's own patch of a profile, which the host follows while it runs. */
  patch(profile, text) {
    const folder = join(this.path, 'profiles', profile);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'cordis.patch.yml'), text);
  }

  /** Starts the web profile. */
  async start(env = {}) {
    // The same each time: the prompt names it, and is compared byte by byte.
    this.port ??= await freePort();
    const { port } = this;
    const words = ['--profile', 'web', '--no-open', '--port', String(port)];
    const child = spawn('dsh', words, { cwd: this.work, env: { ...this.#env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    const web = new Web(this, child, `http://127.0.0.1:${port}`);
    await web.ready();
    return web;
  }
}

/** A host that serves its page. */
export class Web {
  log = '';
  #child;
  #calls = 0;

  constructor(home, child, address) {
    this.home = home;
    this.address = address;
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => { this.log += text; });
  }

  async ready() {
    for (const end = Date.now() + 60_000; Date.now() < end; await pause(100)) {
      if (this.#child.exitCode !== null) throw new Error(`the host ended: ${this.log}`);
      const up = await this.call('session.list', {}).catch(() => undefined);
      if (up) return;
    }
    throw new Error(`the host does not answer: ${this.log}`);
  }

  async stop() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const late = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(late);
  }

  /** Calls a method as the page does. */
  async call(method, payload) {
    this.#calls += 1;
    const response = await fetch(`${this.address}/api/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'client-request', rpcId: `r${this.#calls}`, method, payload }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method}: ${response.status} ${text.slice(0, 500)}`);
    return JSON.parse(text);
  }

  /** A new session. Gives its id. */
  async session() {
    const answer = await this.call('session.create', { cwd: this.home.work });
    const id = JSON.stringify(answer).match(/"sessionId":"([^"]+)"/u)?.[1];
    if (!id) throw new Error(`session.create: ${JSON.stringify(answer)}`);
    return id;
  }

  prompt(sessionId, text) {
    return this.call('session.prompt', { sessionId, mode: 'queue', content: [{ type: 'text', text }] });
  }

  /** What the plugin's route answers; undefined where the page of the app answers in its place. */
  async state(session) {
    const response = await fetch(`${this.address}/rea-toggle/state?session=${encodeURIComponent(session)}`);
    return response.json().catch(() => undefined);
  }

  /** Types a slash command. */
  async type(sessionId, line) {
    return JSON.stringify(await this.call('commands/execute', { args: { agentId: sessionId, line, images: [] } }));
  }
}
