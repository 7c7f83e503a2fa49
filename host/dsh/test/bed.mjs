// A home of a test's own, and what tests do again and again.

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

import * as plugin from '../src/index.mjs';
import { Host } from './model.mjs';

export const NAMES = ['binary_session', 'open_binary', 'tool_with_a_name'];
export const INSTRUCTIONS = '### MCP server: rea\nuse these tools with {{braces}}';

/** A folder that goes when the file's tests are done. */
export function folder() {
  const path = mkdtempSync(join(tmpdir(), 'rea-toggle-'));
  after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Sets where the state file is, as a host's environment does. */
export function newHome() {
  process.env.DSH_HOME = folder();
  return join(process.env.DSH_HOME, 'rea-toggle.json');
}

/** A host with the server `rea`, another one and a tool of its own, and the plugin. */
export function started({ config, profile, connect = true, home = newHome() } = {}) {
  const host = new Host(profile);
  host.root.systemPrompt.section({ name: 'persona', order: 0, text: 'you are' });
  host.root.systemPrompt.section({ name: 'last', order: 9000, text: 'the end' });
  host.tools.register({ name: 'bash', description: 'runs', parameters: {} });
  if (connect) host.disconnect = host.connect('rea', NAMES, INSTRUCTIONS);
  host.connect('other', ['one'], '### MCP server: other');
  const unload = host.load(plugin, config);
  after(() => unload());
  return { host, unload, home };
}

/** Loads the plugin into a host, until the file's tests are done. */
export function loaded(host, config) {
  const unload = host.load(plugin, config);
  after(() => unload());
  return unload;
}

/** An HTTP server that serves the host's routes. Gives a function that sends a request. */
export async function serving(host) {
  const server = createServer((message, response) => {
    const route = host.others.webServer.table.get(message.url.split('?')[0]);
    if (route) route.handler(message, response);
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  after(() => server.close());
  const { port } = server.address();
  return (method, path, { headers = {}, body } = {}) => new Promise((resolve, reject) => {
    const sent = request({ port, method, path, headers, agent: false }, (response) => {
      const blocks = [];
      response.on('data', (block) => blocks.push(block));
      response.on('end', () => {
        const text = Buffer.concat(blocks).toString();
        resolve({ status: response.statusCode, headers: response.headers, text, json: text.startsWith('{') ? JSON.parse(text) : undefined });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** A POST as the pill sends it. */
export const posted = (body) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
