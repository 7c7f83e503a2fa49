// T13: `/rea-toggle/state`.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';

import { posted, serving, started } from './bed.mjs';

const PATH = '/rea-toggle/state';

test('T13 a conversation: known or not, live agents, tools also while off', async () => {
  const { host, home } = started();
  const send = await serving(host);
  host.create('one');
  host.create('child', { parent: 'one', origin: 'subagent' });
  const { status, headers, json } = await send('GET', `${PATH}?session=one`);
  assert.equal(status, 200);
  assert.match(headers['content-type'], /^application\/json/u);
  const { schemaBytes, serverStates, ...rest } = json;
  assert.deepEqual(rest, {
    session: 'one', enabled: false, known: false, defaultEnabled: false, servers: ['rea'], agents: 2, tools: 3, statePath: home,
  });
  assert.ok(schemaBytes > 100);
  assert.deepEqual(serverStates, { rea: 'connected' });
  const set = await send('POST', PATH, posted({ session: 'one', enabled: true }));
  assert.deepEqual([set.json.enabled, set.json.known, set.json.agents], [true, true, 2]);
  assert.equal(host.reaching(host.live.get('child')).length, 4);
  assert.equal((await send('POST', PATH, posted({ session: 'one' }))).json.enabled, false, 'without `enabled` it flips');
});

test('T13 the summary', async () => {
  const { host, home } = started();
  const send = await serving(host);
  host.create('one');
  await send('POST', PATH, posted({ session: 'two', enabled: true }));
  const { json } = await send('GET', PATH);
  const { schemaBytes, serverStates, ...rest } = json;
  assert.deepEqual(rest, {
    session: null, defaultEnabled: false, servers: ['rea'], conversations: 1, agents: 1, tools: 3, statePath: home,
  });
});

test('T13 without the server there are 0 tools', async () => {
  const { host } = started({ connect: false });
  const send = await serving(host);
  assert.equal((await send('GET', `${PATH}?session=one`)).json.tools, 0);
});

test('T13 a session whose id must be encoded, and one that is not live', async () => {
  const { host } = started();
  const send = await serving(host);
  const id = 'a/ü&=+%?#';
  await send('POST', PATH, posted({ session: id, enabled: true }));
  const { json } = await send('GET', `${PATH}?session=${encodeURIComponent(id)}`);
  assert.deepEqual([json.session, json.enabled, json.agents], [id, true, 0]);
  assert.equal(host.reaching(host.create(id)).length, 4);
});

test('T13 what is wrong is refused with what was wrong', async () => {
  const { host } = started();
  const send = await serving(host);
  const json = { 'content-type': 'application/json' };
  for (const [status, method, options] of [
    [400, 'POST', posted({})], [400, 'POST', posted({ session: '' })], [400, 'POST', posted({ session: 'a', enabled: 'yes' })],
    [400, 'POST', { headers: json, body: '{"session":' }], [400, 'POST', posted([])],
    [415, 'POST', { headers: { 'content-type': 'text/plain' }, body: '{"session":"a"}' }],
    [413, 'POST', { headers: json, body: JSON.stringify({ session: 'a'.repeat(1 << 20) }) }],
    [405, 'PUT', posted({ session: 'a' })], [405, 'DELETE', {}],
    [403, 'GET', { headers: { host: 'evil.example' } }], [403, 'POST', { ...posted({ session: 'a' }), headers: { ...json, origin: 'http://evil.example' } }],
    [403, 'GET', { headers: { 'sec-fetch-site': 'cross-site' } }], [403, 'POST', { ...posted({ session: 'a' }), headers: { ...json, origin: 'null' } }],
  ]) {
    const answer = await send(method, PATH, options);
    assert.equal(answer.status, status, `${method} ${JSON.stringify(options).slice(0, 80)}`);
    assert.equal(typeof answer.json.error.message, 'string');
  }
  assert.equal((await send('PUT', PATH, {})).headers.allow.includes('POST'), true);
  assert.equal((await send('GET', PATH)).json.conversations, 0);
});

test('T13 the host may be addressed as it says itself', async () => {
  const { host } = started();
  host.others.connection = { trustedHosts: ['box.lan'] };
  const send = await serving(host);
  assert.equal((await send('GET', PATH, { headers: { host: 'box.lan:8080' } })).status, 200);
  assert.equal((await send('GET', PATH, { headers: { host: 'other.lan' } })).status, 403);
});

test('T13 a change that can not be stored changes nothing, and says so', { skip: process.platform === 'win32' }, async () => {
  const { host, home } = started();
  const send = await serving(host);
  const agent = host.create('one');
  // A folder where the file should be: not even an administrator can write there.
  mkdirSync(home);
  const { status, json } = await send('POST', PATH, posted({ session: 'one', enabled: true }));
  assert.equal(status, 500);
  assert.match(json.error.message, /rea-toggle\.json/u);
  assert.equal(host.reaching(agent).length, 1);
  assert.equal((await host.type(agent, '/rea on')).kind, 'error');
});
