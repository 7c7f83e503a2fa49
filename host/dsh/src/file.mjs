// The state file itself: read, replaced as a whole, and kept aside when it is damaged.

import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, readlinkSync, statSync } from 'node:fs';
import { copyFile, link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Damaged files that are kept, at most. */
const MOST_DAMAGED = 1000;

/** Links that are followed from the name to the file, at most. */
const MOST_LINKS = 40;

/**
 * By what a file that was changed is told from the one before: a new one is renamed over the old one, so the inode
 * alone would nearly do, but inodes are used again.
 */
const signatureOf = ({ dev, ino, size, mtimeNs, ctimeNs }) => [dev, ino, size, mtimeNs, ctimeNs].join();

const absent = (work) => {
  try {
    return work();
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
};

/** That of the file at a path; none if there is none. @param {string} path @returns {string | undefined} */
export function signature(path) {
  return absent(() => signatureOf(statSync(path, { bigint: true })));
}

/**
 * Reads a file.
 * @param {string} path
 * @param {number} most so many bytes and one more
 * @returns {{bytes: Uint8Array, signature: string} | undefined} undefined if there is none
 */
export function read(path, most) {
  return absent(() => {
    // Looked at before it is opened: opening a pipe waits for somebody to write.
    if (!statSync(path).isFile()) throw new Error(`${path} is not a file`);
    const file = openSync(path, 'r');
    try {
      const before = fstatSync(file, { bigint: true });
      const blocks = [];
      for (let left = most + 1; left > 0;) {
        const block = Buffer.allocUnsafe(Math.min(left, 1 << 16));
        const length = readSync(file, block, 0, block.length, null);
        if (length === 0) break;
        blocks.push(block.subarray(0, length));
        left -= length;
      }
      return { bytes: new Uint8Array(Buffer.concat(blocks)), signature: signatureOf(before) };
    } finally {
      closeSync(file);
    }
  });
}

/**
 * The file that a path stands for: links at its end are followed, also where they lead to nothing yet, so that a link
 * stays a link and two names of one file share one lock.
 * @param {string} path
 */
export function real(path) {
  for (let links = 0; links < MOST_LINKS; links += 1) {
    const there = absent(() => lstatSync(path));
    if (!there?.isSymbolicLink()) return path;
    path = resolve(dirname(path), readlinkSync(path));
  }
  throw new Error(`${path}: too many links, one leading to the next`);
}

/** Makes the folder of a file, for its owner alone. @param {string} path */
export const makeFolder = (path) => mkdir(dirname(path), { recursive: true, mode: 0o700 });

/**
 * Replaces the file, or makes it. Whatever happens at whatever moment, there is the old file or the new one.
 * @param {string} path
 * @param {Uint8Array} bytes
 * @param {() => Promise<void>} lastLook asked right before the one moment that counts
 * @param {(text: string) => void} warn
 */
export async function replace(path, bytes, lastLook, warn) {
  // One name for all: who has the lock is the only one who writes. What is there is of someone who was killed.
  const temporary = `${path}.tmp`;
  await rm(temporary, { force: true });
  try {
    await write(temporary, bytes, path);
    await lastLook();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
  // The change is made; a power cut could still undo it.
  await flushFolder(dirname(path)).catch((error) => warn(`can't flush the folder of ${path}: ${error.message}`));
}

async function write(temporary, bytes, like) {
  const file = await open(temporary, 'wx', 0o600);
  try {
    // A umask can only take away.
    await file.chmod(0o600);
    const before = await stat(like).catch(() => undefined);
    const own = await file.stat();
    if (before && (before.uid !== own.uid || before.gid !== own.gid)) {
      // An administrator who flips for somebody must not lock him out. Others can't, and needn't.
      await file.chown(before.uid, before.gid).catch(() => {});
    }
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function flushFolder(path) {
  // Windows has no such thing.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Keeps a damaged file under a name that isn't taken. The file stays where it is.
 * @param {string} path
 * @returns {Promise<string>} the name
 */
export async function keepAside(path) {
  for (let number = 1; number <= MOST_DAMAGED; number += 1) {
    const aside = `${path}.damaged-${number}`;
    try {
      await link(path, aside);
      return aside;
    } catch (error) {
      if (error.code === 'EEXIST') continue;
    }
    try {
      // No hard links here.
      await copyFile(path, aside, constants.COPYFILE_EXCL);
      return aside;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
  throw new Error(`${path} is damaged, and there are already ${MOST_DAMAGED} damaged ones kept beside it; move them away`);
}
