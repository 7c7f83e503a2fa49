// The component in another engine with another canonical ABI: it must answer as it does natively and in wasmtime.
//
//   node differential.mjs --component FILE --cases FOLDER [--bless]
//
// The cases, and what they are made of, are described in `tests/cases/README.md`. `--bless` writes the prose that
// the component gives (calls of `prompts`) into the cases instead of comparing it; read the difference.
// One line a check; the last line sums up. Exit code 1 if an answer differs.

import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { check, finish, same, section } from '../typescript/checks.mjs';
import { load } from './host.mjs';

const kebab = (name) => name.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
const camel = (name) => name.replace(/-([a-z])/gu, (_, letter) => letter.toUpperCase());

/** A value of a case as jco takes it: names in camel case, `{"utf8": …}` as bytes, null as absent. */
function taken(value) {
  if (value === null) return undefined;
  if (Array.isArray(value)) return value.map(taken);
  if (typeof value !== 'object') return value;
  if (Object.keys(value).join() === 'utf8') return new TextEncoder().encode(value.utf8);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [camel(name), taken(inner)]));
}

/** A value of the component as the cases write it: names as in the WIT, numbers plain, what is absent as null. */
function written(value) {
  if (value === undefined) return null;
  if (value instanceof Uint8Array) return { utf8: new TextDecoder().decode(value) };
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(written);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [kebab(name), written(inner)]));
  }
  return value;
}

/** What a call gives, or how it fails. A trap is neither: it is thrown on. */
function answer(instance, { call, with: words = [] }) {
  const [space, name] = call.split('.');
  try {
    const args = words.map(taken);
    // Sizes are 64-bit numbers.
    if (call === 'switch.sizes-told') args[0] = args[0].map(([tool, bytes]) => [tool, BigInt(bytes)]);
    if (call === 'toggle.estimate-tokens') args[0] = BigInt(args[0]);
    const given = instance[space][camel(name)](...args);
    if (call !== 'toggle.open') return { gives: written(given) };
    // `switch.…` calls a method of the switch that was opened last.
    instance.switch = given;
    return { gives: null };
  } catch (error) {
    // jco throws the payload of an error as it is, or within an error of its own.
    const fault = error.payload ?? error;
    if (fault instanceof Error) throw error;
    return { fails: written(fault) };
  }
}

/** Compares one call. Of an error only what the case names counts: its `detail` is for people. */
function compare(name, instance, wanted) {
  const got = answer(instance, wanted);
  if (wanted.fails) {
    const told = Object.fromEntries(Object.keys(wanted.fails).map((key) => [key, got.fails?.[key]]));
    same(name, got.fails ? told : got, wanted.fails);
  } else {
    same(name, got.fails ?? got.gives, wanted.gives);
  }
}

/** Writes prose into the case. What fails, or isn't prose, is compared as ever. */
function bless(name, instance, wanted) {
  const { gives } = wanted.fails ? {} : answer(instance, wanted);
  if (gives) wanted.gives = gives;
  compare(name, instance, wanted);
}

async function run(path, instantiate, blessing) {
  const text = JSON.parse(readFileSync(path, 'utf8'));
  for (const { name, session = {}, inventory, 'page-rows': rows = 10_000, steps } of text.cases) {
    await section(name, async () => {
      const now = { ...session };
      const instance = await instantiate(now, inventory, rows);
      for (const [index, step] of steps.entries()) {
        const what = `${name}, step ${index + 1}: ${step.call}`;
        if (step.session) Object.assign(now, step.session);
        else if (blessing && step.call.startsWith('prompts.')) bless(what, instance, step);
        else compare(what, instance, step);
      }
    });
  }
  if (blessing) writeFileSync(path, `${JSON.stringify(text, null, 2)}\n`);
}

const { values: options } = parseArgs({
  options: { component: { type: 'string' }, cases: { type: 'string' }, bless: { type: 'boolean', default: false } },
});
const folder = mkdtempSync(join(tmpdir(), 'rea-jco-'));
try {
  const { imports, instantiate } = await load(options.component, folder);
  check('the component asks for nothing but rea:guide', imports.every((name) => name.startsWith('rea:guide/')), imports);
  const files = readdirSync(options.cases).filter((name) => name.endsWith('.json')).sort();
  check('there are cases', files.length > 0, options.cases);
  for (const name of files) {
    console.log(`# ${name}`);
    await run(join(options.cases, name), instantiate, options.bless);
  }
} catch (error) {
  check('the component loads', false, error.stack ?? String(error));
} finally {
  rmSync(folder, { recursive: true, force: true });
  finish();
}
