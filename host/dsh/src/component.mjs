// The component: what decides. It is loaded synchronously, because a plugin must have decided before its host goes on.

import { readFileSync } from 'node:fs';

import { instantiate } from '../generated/guide.js';

/** @typedef {import('../generated/interfaces/rea-guide-toggle.d.ts')} Toggle */

// Compiled once in a process; an instance takes a millisecond or two.
const modules = new Map();

function core(name) {
  if (!modules.has(name)) {
    const bytes = readFileSync(new URL(`../generated/${name}`, import.meta.url));
    modules.set(name, new WebAssembly.Module(bytes));
  }
  return modules.get(name);
}

const unavailable = (why) => () => {
  throw { payload: why };
};

// What prompts and completion could ask for. DSH has no binaries, so nothing of it is there; the switch asks for none.
const SESSION = {
  documents: unavailable('no-target'),
  identifiers: unavailable('unsupported'),
  providers: () => [],
  tools: () => [],
  retainedOperations: () => [],
};
const INVENTORY = { names: unavailable('unsupported'), places: unavailable('unsupported') };

/**
 * A new instance of the component.
 * @returns {Toggle} its interface `toggle`
 */
export function newToggle() {
  const imports = {};
  // jco asks for an import with or without its version, as its own version sees fit.
  for (const version of ['', '@0.1.0']) {
    imports[`rea:guide/session${version}`] = SESSION;
    imports[`rea:guide/inventory${version}`] = INVENTORY;
  }
  return instantiate(core, imports).toggle;
}

/**
 * What the contract calls an error, as opposed to a trap.
 * @param {unknown} error what a call has thrown
 * @returns {import('../generated/interfaces/rea-guide-toggle.d.ts').Problem | undefined}
 */
export function problemOf(error) {
  // jco throws the payload of an error as it is, or within an error of its own.
  const payload = error?.payload ?? error;
  return typeof payload?.kind === 'string' && typeof payload.detail === 'string' ? payload : undefined;
}
