// Checks that are counted and said one by one.

import { isDeepStrictEqual } from 'node:util';

const counts = { ok: 0, 'not ok': 0, skipped: 0 };

/** Notes whether something holds; if not, also what was seen instead. */
export function check(name, holds, ...seen) {
  const word = holds ? 'ok' : 'not ok';
  counts[word] += 1;
  console.log(`${word} ${name}`);
  if (!holds) for (const value of seen) console.log(`  # ${shown(value)}`);
}

/** Notes whether two values are the same all the way down. */
export function same(name, got, wanted) {
  check(name, isDeepStrictEqual(plain(got), plain(wanted)), { got, wanted });
}

/** Notes a check that can't be made here. */
export function skip(name, why) {
  counts.skipped += 1;
  console.log(`ok ${name} # SKIP ${why}`);
}

/** Checks that belong together: an exception ends them and counts as one that didn't hold. */
export async function section(name, work) {
  console.log(`# ${name}`);
  try {
    return await work();
  } catch (error) {
    check(`${name}: goes through`, false, error.stack ?? String(error));
  }
}

/** Says the sum, which is the last line, and sets the exit code. */
export function finish() {
  console.log(`${counts.ok} passed, ${counts['not ok']} failed, ${counts.skipped} skipped`);
  process.exitCode = counts['not ok'] === 0 ? 0 : 1;
}

/** Order by code point, which is not how JavaScript compares strings, and no repetition. */
export function inCodePointOrder(values) {
  const bytes = values.map((value) => Buffer.from(value));
  return bytes.every((value, index) => index === 0 || Buffer.compare(bytes[index - 1], value) < 0);
}

// Without prototypes and members that are undefined: what JSON can say.
const plain = (value) => JSON.parse(JSON.stringify(value ?? null));

function shown(value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return String(text).slice(0, 2000).replaceAll('\n', '\n  # ');
}
