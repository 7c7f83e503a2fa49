// Who holds a lock, and whether he still lives. The page `host/src/store/PROTOCOL.md`, "Owner", is what the native
// program goes by too.

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';

/** A lock whose owner can't be looked up counts as abandoned after this time, in ms. Held ones are held for a few. */
const ABANDONED = 30_000;

/** Bytes of a lock file at most; what is longer is none of ours. */
export const LONGEST = 4096;

/** @typedef {{pid: number, start: string, realm: string, token: string}} Owner */

const linux = process.platform === 'linux';
let self;

/** This process, with a new token. @returns {Owner} */
export function myself() {
  self ??= { pid: process.pid, start: startOf(process.pid) ?? '', realm: realm() };
  return { ...self, token: randomBytes(16).toString('hex') };
}

/** The text of a lock file. @param {Owner} owner */
export const textOf = (owner) => `${JSON.stringify(owner)}\n`;

/**
 * What a lock file says; none if it says nothing of the kind.
 * @param {Uint8Array} bytes
 * @returns {Owner | undefined}
 */
export function ownerIn(bytes) {
  if (bytes.length > LONGEST) return undefined;
  let owner;
  try {
    owner = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
  const { pid, start, realm: where, token } = owner ?? {};
  const sound = Number.isInteger(pid) && pid >= 0 && pid <= 0xffff_ffff
    && typeof start === 'string' && typeof where === 'string'
    // It becomes part of a file name.
    && typeof token === 'string' && /^[A-Za-z0-9]{1,64}$/u.test(token);
  return sound ? { pid, start, realm: where, token } : undefined;
}

/**
 * Whether a lock is nobody's any more.
 * @param {Owner | undefined} owner of it, if it can be read
 * @param {number} touched when it was last changed, in ms
 */
export function isAbandoned(owner, touched) {
  const life = lifeOf(owner);
  // A time in the future is no reason to take it: then its owner's clock is another one.
  return life === 'dead' || (life === 'unknown' && Date.now() - touched > ABANDONED);
}

/** @param {Owner | undefined} owner @returns {'alive' | 'dead' | 'unknown'} */
export function lifeOf(owner) {
  const own = myself().realm;
  if (!owner || own === '' || own !== owner.realm || owner.start === '') return 'unknown';
  const start = startOf(owner.pid);
  if (start === undefined) return 'unknown';
  // Otherwise the number belongs to another process by now.
  return start === owner.start ? 'alive' : 'dead';
}

/** When a process started, in the system's own terms; null if there is none, undefined if the system doesn't say. */
function startOf(pid) {
  return linux ? inProc(pid) : inPs(pid);
}

function inProc(pid) {
  let stat;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch (error) {
    // ESRCH: it ended between open and read. Without /proc nothing is found there.
    if (error.code === 'ESRCH') return null;
    return error.code === 'ENOENT' && existsSync('/proc/self/stat') ? null : undefined;
  }
  // The name of the program stands in parentheses, and may hold blanks and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 1).trim().split(/\s+/u);
  // It has ended; only its parent hasn't asked yet.
  if (['Z', 'X', 'x'].includes(fields[0])) return null;
  return fields[19];
}

function inPs(pid) {
  try {
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
    const start = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    return start.toString().trim() || undefined;
  } catch (error) {
    return error.status === 1 && String(error.stdout ?? '').trim() === '' ? null : undefined;
  }
}

function realm() {
  try {
    if (!linux) return execFileSync('uname', ['-n']).toString().trim();
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return boot && `${boot}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
}
