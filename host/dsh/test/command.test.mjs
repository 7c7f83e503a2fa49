// T4: `/rea …` acts on the conversation in which it is typed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { started } from './bed.mjs';

test('T4 on, off, enable, disable, toggle and status, in any case and with blanks', async () => {
  const { host } = started();
  const agent = host.create('one');
  for (const [word, tools] of [
    ['on', 4], ['off', 1], ['enable', 4], ['disable', 1], ['toggle', 4], ['TOGGLE', 1], [' On ', 4], ['status', 4],
  ]) {
    const { kind, text } = await host.type(agent, `/rea ${word}`);
    assert.equal(kind, 'success', text);
    assert.equal(host.reaching(agent).length, tools, word);
  }
});

test('T4 status tells how it stands, and changes nothing', async () => {
  const { host } = started();
  const agent = host.create('one');
  assert.match((await host.type(agent, '/rea status')).text, /rea is off.*3 tools/u);
  await host.type(agent, '/rea on');
  assert.match((await host.type(agent, '/rea status')).text, /rea is on/u);
});

test('T4 anything else is an error with the usage', async () => {
  const { host } = started();
  const agent = host.create('one');
  for (const line of ['/rea', '/rea maybe', '/rea on now', '/rea   ']) {
    const { kind, text } = await host.type(agent, line);
    assert.equal(kind, 'error');
    assert.match(text, /Usage: \/rea on \| off/u);
  }
  assert.equal(host.reaching(agent).length, 1);
});

test('T4 a server that is not connected is said to be so', async () => {
  const { host } = started({ connect: false });
  host.others.loader = { entries: () => [] };
  assert.match((await host.type(host.create('one'), '/rea status')).text, /rea/u);
});
