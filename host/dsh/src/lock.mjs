// The lock of the state file, shared with the native program. `host/src/store/PROTOCOL.md` says what and why.

import { link, open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { LONGEST, isAbandoned, myself, ownerIn, textOf } from './owner.mjs';

/** Claims on claims: each level takes a crash within microseconds. Beyond this it is waited. */
const DEEPEST = 3;

/** The first and the longest pause between two attempts, in ms. */
const PAUSES = [1, 16];

/** Somebody else holds the lock, or took it away: try again. */
export class Busy extends Error {
  name = 'Busy';
}

/**
 * Takes the lock of a state file.
 * @param {string} state the state file, with links followed
 * @param {number} wait for at most so many ms
 * @returns {Promise<{check(): Promise<void>, release(): Promise<void>}>}
 * @throws {Busy} if somebody else holds it all the time
 */
export async function takeLock(state, wait) {
  const path = `${state}.lock`;
  const owner = myself();
  const candidate = { path: `${path}-${owner.token}`, text: textOf(owner) };
  await create(candidate.path, candidate.text);
  const attempt = { state, candidate, wait, deadline: performance.now() + wait, tookOver: false };
  try {
    await take(attempt, path, 0);
  } finally {
    await drop(candidate.path);
  }
  if (attempt.tookOver) await sweep(path);
  const held = async () => (await found(path))?.text === candidate.text;
  return {
    // Nobody takes it away, but a person can delete it.
    async check() {
      if (!await held()) throw new Busy(`The lock ${path} was taken away; nothing was changed, try again`);
    },
    async release() {
      if (await held().catch(() => false)) await drop(path);
    },
  };
}

async function take(attempt, path, depth) {
  const { candidate, deadline } = attempt;
  let [wait, longest] = PAUSES;
  for (;;) {
    if (await createLock(candidate, path)) return;
    const other = await found(path);
    // A network file system did it and lost the answer.
    if (other?.text === candidate.text) return;
    if (other && depth < DEEPEST && other.isAbandoned()) {
      await takeOver(attempt, path, other, depth);
      continue;
    }
    if (performance.now() >= deadline) {
      const who = other?.owner ? `process ${other.owner.pid}` : 'an unknown process';
      throw new Busy(`${attempt.state} is being changed by ${who}, for more than ${attempt.wait / 1000} s; try again, `
        + `or delete ${path} if that is not so`);
    }
    await pause(wait);
    wait = Math.min(wait * 2, longest);
  }
}

/**
 * Removes an abandoned lock. Of those who see that it is abandoned only the holder of the claim on it may, and a claim
 * is on this one lock: so nobody removes the lock that another has taken since.
 */
async function takeOver(attempt, path, abandoned, depth) {
  const claim = `${path}.${abandoned.owner?.token ?? 'unreadable'}`;
  await take(attempt, claim, depth + 1);
  try {
    const again = await found(path);
    if (again?.text === abandoned.text && again.isAbandoned()) {
      await rm(path);
      attempt.tookOver = true;
    }
  } finally {
    if ((await found(claim))?.text === attempt.candidate.text) await drop(claim);
  }
}

/** Whether it is ours now; not if there is one already. */
async function createLock(candidate, path) {
  try {
    // Linked, so that a lock is never seen half-written.
    await link(candidate.path, path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
  }
  try {
    // No hard links here, or another reason that this says better.
    await create(path, candidate.text);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** What is found where a lock should be. */
async function found(path) {
  let file;
  try {
    file = await open(path, 'r');
    const { mtimeMs, ctimeMs } = await file.stat();
    const block = Buffer.alloc(LONGEST + 1);
    const { bytesRead } = await file.read(block, 0, block.length, 0);
    const bytes = block.subarray(0, bytesRead);
    const owner = ownerIn(bytes);
    const touched = Math.max(mtimeMs, ctimeMs);
    return { text: bytes.toString('latin1'), owner, isAbandoned: () => isAbandoned(owner, touched) };
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  } finally {
    await file?.close();
  }
}

// A network file system says ESTALE of a file that went while it was open.
const isGone = (error) => error.code === 'ENOENT' || error.code === 'ESTALE';

async function create(path, text) {
  const file = await open(path, 'wx', 0o644);
  try {
    // Whoever waits must see for whom, whatever the umask says.
    await file.chmod(0o644);
    await file.writeFile(text);
  } catch (error) {
    await drop(path);
    throw error;
  } finally {
    await file.close();
  }
}

// What can't be removed is removed by the next one who takes over.
const drop = (path) => rm(path, { force: true }).catch(() => {});

/** After a crash: candidates and claims of the dead. */
async function sweep(path) {
  const folder = dirname(path);
  const start = basename(path);
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(`${start}-`) && !name.startsWith(`${start}.`)) continue;
    const other = await found(join(folder, name)).catch(() => undefined);
    if (other?.owner && other.isAbandoned()) await drop(join(folder, name));
  }
}
