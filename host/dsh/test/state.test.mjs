// T11: the state file, shared by several programs.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

import { takeLock } from '../src/lock.mjs';
import { lifeOf, myself, ownerIn, textOf } from '../src/owner.mjs';
import { dshHome, statePath } from '../src/state-home.mjs';
import { Store } from '../src/store.mjs';
import { folder, loaded, newHome, started } from './bed.mjs';
import { Host } from './model.mjs';

const positions = (home) => Object.fromEntries(
  Object.entries(JSON.parse(readFileSync(home)).conversations).map(([id, { enabled }]) => [id, enabled]),
);

test('T11 the file is in the home of DSH', () => {
  assert.equal(dshHome({}, '/home/x'), '/home/x/.dsh');
  for (const blank of ['', ' ', '\t\n']) assert.equal(dshHome({ DSH_HOME: blank }, '/home/x'), '/home/x/.dsh');
  assert.equal(dshHome({ DSH_HOME: '/d' }, '/home/x'), '/d');
  assert.equal(dshHome({ DSH_HOME: '~/a' }, '/home/x'), '/home/x/a');
  assert.equal(dshHome({ DSH_HOME: '~' }, '/home/x'), '/home/x');
  assert.equal(dshHome({ DSH_HOME: '~x' }, '/home/x'), join(process.cwd(), '~x'));
  assert.equal(statePath((name) => `/told/${name}`), '/told/rea-toggle.json');
});

test('T11 positions survive a restart', async () => {
  const { host, unload, home } = started();
  await host.type(host.create('one'), '/rea on');
  await host.type(host.create('two'), '/rea on');
  await host.type(host.live.get('two'), '/rea off');
  unload();
  const again = started({ home }).host;
  assert.equal(again.reaching(again.create('one')).length, 4);
  assert.equal(again.reaching(again.create('two')).length, 1);
  assert.deepEqual(positions(home), { one: true, two: false });
  assert.equal(statSync(home).mode & 0o777, 0o600);
});

test('T11 the 500 most recently changed are kept', async () => {
  const { host, home } = started();
  const conversations = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`c${index}`, { enabled: true, revision: index + 1 }]));
  writeFileSync(home, JSON.stringify({ version: 1, revision: 500, conversations }));
  await host.type(host.create('c0'), '/rea on');
  await host.type(host.create('new'), '/rea on');
  const kept = Object.keys(positions(home));
  assert.equal(kept.length, 500);
  assert.ok(kept.includes('c0') && kept.includes('new') && !kept.includes('c1'));
});

test('a flip that somebody else makes is followed at the next step, and its pill within half a second', async () => {
  const { host, home } = started();
  const agent = host.create('one');
  const other = new Host();
  other.connect('rea', ['x']);
  loaded(other);
  await other.type(other.create('one'), '/rea on');
  assert.equal(host.reaching(agent).length, 4, 'no event, no timer in between');
  writeFileSync(home, JSON.stringify({ version: 1, revision: 9, conversations: { one: { enabled: false, revision: 9 } } }));
  await pause(600);
  assert.equal(host.tools.get('mcp__rea__open_binary', agent), undefined);
});

test('what is damaged is kept aside, and what was known survives', async () => {
  for (const text of ['{"version":1,"revi', '[]', '{"version":7,"revision":1,"conversations":{}}', '\xff\xfe']) {
    const { host, home } = started();
    const agent = host.create('one');
    await host.type(agent, '/rea on');
    writeFileSync(home, text, 'latin1');
    assert.equal(host.reaching(agent).length, 4, 'the positions known before stand');
    await host.type(host.create('two'), '/rea on');
    assert.deepEqual(positions(home), { one: true, two: true });
    assert.equal(readFileSync(`${home}.damaged-1`, 'latin1'), text);
    assert.match(host.warnings.join('\n'), /damaged-1/u);
  }
});

test('a byte order mark, prototype keys and a link are no trouble', async () => {
  const home = newHome();
  const real = join(folder(), 'real.json');
  symlinkSync(real, home);
  writeFileSync(real, '\ufeff{"version":1,"revision":1,"conversations":{"__proto__":{"enabled":true,"revision":1}}}');
  const { host } = started({ home });
  assert.equal(host.reaching(host.create('__proto__')).length, 4);
  await host.type(host.create('constructor'), '/rea on');
  assert.ok(lstatSync(home).isSymbolicLink());
  const text = readFileSync(real, 'utf8');
  assert.match(text, /__proto__/u);
  assert.match(text, /constructor/u);
  assert.deepEqual(readdirSync(dirname(real)), ['real.json']);
});

test('the lock: one holds it, others wait and are told for whom', async () => {
  const state = join(folder(), 's.json');
  const lock = await takeLock(state, 0);
  assert.deepEqual(readdirSync(dirname(state)), ['s.json.lock']);
  await assert.rejects(takeLock(state, 30), { name: 'Busy', message: new RegExp(`process ${process.pid}`, 'u') });
  writeFileSync(`${state}.lock`, textOf(myself()));
  await assert.rejects(lock.check(), { name: 'Busy' });
  await lock.release();
  assert.deepEqual(readdirSync(dirname(state)), ['s.json.lock'], 'not ours any more');
});

test('a change whose lock is taken away in the middle is given up', async () => {
  const state = join(folder(), 's.json');
  writeFileSync(state, 'before');
  const policy = {
    sizes: { documentBytes: 100 },
    prepareWrite() {
      rmSync(`${state}.lock`);
      return { document: Buffer.from('after') };
    },
  };
  const { kind } = await new Store(state, policy, () => {}, () => {}).change({ session: 'a', to: 'on' });
  assert.deepEqual([kind, readFileSync(state, 'latin1'), readdirSync(dirname(state))], ['busy', 'before', ['s.json']]);
});

test('the lock: that of the dead is taken over by one at a time, and the dead leave nothing', async () => {
  const dead = () => ({ ...myself(), start: '1' });
  for (let round = 0; round < 20; round += 1) {
    const state = join(folder(), 's.json');
    const [owner, claimer] = [dead(), dead()];
    writeFileSync(`${state}.lock`, textOf(owner));
    writeFileSync(`${state}.lock.${owner.token}`, textOf(claimer));
    writeFileSync(`${state}.lock-${claimer.token}`, textOf(claimer));
    let inside = 0;
    await Promise.all(Array.from({ length: 6 }, async () => {
      const lock = await takeLock(state, 30_000);
      inside += 1;
      assert.equal(inside, 1);
      await pause(0);
      inside -= 1;
      await lock.release();
    }));
    assert.deepEqual(readdirSync(dirname(state)), []);
  }
});

test('the lock: one of an unknown owner is left alone for 30 s', async () => {
  for (const text of ['', '{"pid":', textOf({ ...myself(), realm: 'elsewhere' })]) {
    const state = join(folder(), 's.json');
    writeFileSync(`${state}.lock`, text);
    await assert.rejects(takeLock(state, 20), { name: 'Busy' });
    // Touched later than it was made counts; the time of its last change of status can't be set.
    utimesSync(`${state}.lock`, new Date(), new Date(Date.now() - 60_000));
    await assert.rejects(takeLock(state, 20), { name: 'Busy' });
  }
  assert.equal(lifeOf(ownerIn(Buffer.from(textOf(myself())))), 'alive');
  for (const token of ['', '../x', 'a b']) assert.equal(ownerIn(Buffer.from(textOf({ ...myself(), token }))), undefined);
});

test('several processes that flip at once lose nothing, also when some are killed', { timeout: 120_000 }, async () => {
  const home = newHome();
  mkdirSync(dirname(home), { recursive: true });
  const flips = 12;
  const start = (name) => fork(new URL('writer.mjs', import.meta.url), [home, name, String(flips)], { stdio: 'ignore' });
  const ended = (child) => new Promise((resolve) => { child.on('exit', resolve); });
  const writers = ['a', 'b', 'c'].map(start);
  const victims = ['v', 'w'].map(start);
  const all = [...writers, ...victims].map(ended);
  for (const victim of victims) {
    await pause(150);
    victim.kill('SIGKILL');
  }
  await Promise.all(all);
  assert.deepEqual(writers.map(({ exitCode }) => exitCode), [0, 0, 0]);
  const document = JSON.parse(readFileSync(home));
  const mine = Object.keys(document.conversations).filter((id) => /^[abc]/u.test(id));
  assert.equal(mine.length, 3 * flips);
  assert.equal(document.revision, Object.keys(document.conversations).length);
  // Whoever was killed with the lock in hand is found out at the next change.
  const { host } = started({ home });
  await host.type(host.create('last'), '/rea on');
  assert.equal(existsSync(`${home}.lock`), false);
});
