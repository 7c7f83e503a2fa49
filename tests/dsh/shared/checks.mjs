// One state file, two hosts: the native program and the plugin change it at once, and some are killed.
//
//   node checks.mjs --plugin FOLDER --rea PROGRAM
//
// One line a check; the last line sums up.

import { fork, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { check, finish, same, section, skip } from '../../clients/typescript/checks.mjs';

const { values: options } = parseArgs({ options: { plugin: { type: 'string' }, rea: { type: 'string' } } });
const folder = mkdtempSync(join(tmpdir(), 'rea-shared-'));

const ended = (child) => new Promise((resolve) => { child.on('exit', (code) => resolve(code)); });
const native = (state, id, to) => spawn(options.rea, ['toggle', to, '--conversation', id, '--state', state], { stdio: 'ignore' });
const script = (state, name, word) => fork(join(options.plugin, 'test/writer.mjs'), [state, name, String(word)], { stdio: 'ignore' });
const positions = (state) => JSON.parse(readFileSync(state)).conversations;

/** Runs jobs, so many at a time. */
async function each(jobs, width) {
  const codes = [];
  const next = jobs[Symbol.iterator]();
  await Promise.all(Array.from({ length: width }, async () => {
    for (const job of next) codes.push(await ended(job()));
  }));
  return codes;
}

async function all() {
  await section('both at once', async () => {
    const state = join(folder, 'both.json');
    const natives = Array.from({ length: 16 }, (_, number) => () => native(state, `n${number}`, number % 2 ? 'on' : 'off'));
    const scripts = ['a', 'b'].map((name) => () => script(state, name, 20));
    const [one, other] = await Promise.all([each(natives, 3), each(scripts, 2)]);
    same('all succeed', [...new Set([...one, ...other])], [0]);
    same('nothing is lost', Object.keys(positions(state)).length, 16 + 40);
    same('each change has a revision of its own', JSON.parse(readFileSync(state)).revision, 16 + 40);
    same('nothing is left beside the file', readdirSync(folder), ['both.json']);
  });

  await section('some are killed', async () => {
    const state = join(folder, 'killed.json');
    const victims = [];
    const killing = (async () => {
      for (let number = 0; number < 6; number += 1) {
        const victim = number % 2 ? native(state, `v${number}`, 'on') : script(state, `v${number}-`, 500);
        victims.push(ended(victim));
        await pause(number % 2 ? 4 : 250);
        victim.kill('SIGKILL');
      }
    })();
    const natives = Array.from({ length: 12 }, (_, number) => () => native(state, `n${number}`, 'on'));
    const codes = await Promise.all([each(natives, 2), each([() => script(state, 'a', 12)], 1)]);
    await killing;
    await Promise.all(victims);
    same('the others succeed', [...new Set(codes.flat())], [0]);
    const ids = Object.keys(positions(state));
    same('nothing of theirs is lost', ids.filter((id) => /^[na]\d/u.test(id)).length, 24);
    await each([() => native(state, 'last', 'on'), () => script(state, 'last', 'off')], 1);
    same('whoever died with the lock stops nobody', [positions(state).last.enabled, existsSync(`${state}.lock`)], [false, false]);
  });

  await section('each takes over the lock of the other', async () => {
    const state = join(folder, 'dead.json');
    for (const [holder, taker] of [['script', native], ['native', script]]) {
      // Somebody of whom only the lock is left: his number belongs to another process by now.
      const { pid } = process;
      const [boot, space] = [readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim(), spawnSync('readlink', ['/proc/self/ns/pid']).stdout.toString().trim()];
      writeFileSync(`${state}.lock`, `${JSON.stringify({ pid, start: '1', realm: `${boot}/${space}`, token: `dead${holder}` })}\n`);
      const before = Date.now();
      same(`of a dead ${holder}`, await ended(taker(state, holder, 'on')), 0);
      check('without waiting', Date.now() - before < 5000);
    }
  });

  await section('the same document', async () => {
    const texts = [native, script].map(async (write, index) => {
      const state = join(folder, `same${index}.json`);
      for (const [id, to] of [['b', 'on'], ['a', 'off'], ['b', 'off'], ['ü', 'on']]) await ended(write(state, id, to));
      return readFileSync(state, 'utf8');
    });
    const [one, other] = await Promise.all(texts);
    same('byte for byte', other, one);
  });
}

if (spawnSync(options.rea, ['toggle', '--help']).status === 0) await all();
else skip('one state file, two hosts', 'this rea has no `toggle`');
rmSync(folder, { recursive: true, force: true });
finish();
