// A host for the component in JavaScript: transpiles it with jco and gives it a session made of plain data.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { transpile } from '@bytecodealliance/jco-transpile';

/** Transpiles a component into a folder. Gives a function that makes an instance for a case (see `tests/cases/README.md`). */
export async function load(component, folder) {
  const { files, imports } = await transpile(component, { name: 'guide', outDir: folder, instantiation: 'async' });
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  // jco writes modules, whatever the folder is in.
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}\n');
  const module = await import(pathToFileURL(join(folder, 'guide.js')));
  const compiled = new Map();
  const core = async (name) => {
    if (!compiled.has(name)) compiled.set(name, await WebAssembly.compile(readFileSync(join(folder, name))));
    return compiled.get(name);
  };
  const instantiate = async (session, inventory, rows) => {
    const exports = await module.instantiate(core, named(session, inventory, rows));
    const instance = Object.fromEntries(Object.entries(exports).map(([name, value]) => [short(name), value]));
    if (inventory) begin(instance.procedures, inventory);
    return instance;
  };
  return { imports, instantiate };
}

/** `rea:guide/session@0.1.0` is `session`. */
const short = (name) => name.replace(/^.*\//u, '').replace(/@.*$/u, '');

// An instance asks for its imports by their whole name or without the version, as jco sees fit: answer to both.
function named(session, inventory, rows) {
  const interfaces = { session: sessionOf(session), inventory: inventoryOf(inventory, rows) };
  return new Proxy({}, { get: (_, name) => interfaces[short(String(name))] });
}

// An error of the contract is thrown as its payload.
const unless = (value) => {
  if (value?.unavailable) throw { payload: value.unavailable };
  return value;
};

/** The interface `session`, over an object that a case may change between two calls. */
function sessionOf(session) {
  return {
    documents: () => unless(session.documents ?? { unavailable: 'no-target' }),
    providers: () => session.providers ?? [],
    identifiers(family, prefix, limit) {
      const all = unless(session.identifiers?.[family] ?? { unavailable: 'unsupported' });
      const hits = all.filter((value) => value.startsWith(prefix));
      return { values: hits.slice(0, Math.min(limit, 100)), total: BigInt(hits.length) };
    },
    tools: () => session.tools ?? [],
    retainedOperations: () => session['retained-operations'] ?? [],
  };
}

/** The interface `inventory`, in pages of so many rows. */
function inventoryOf(inventory, rows) {
  const page = (list, document, first, pack) => {
    if (!inventory) throw { payload: 'unsupported' };
    return pack(inventory[document][list].slice(first, first + rows));
  };
  const packed = (texts) => {
    let end = 0;
    return { text: texts.join(''), ends: Uint32Array.from(texts, (text) => (end += Buffer.byteLength(text))) };
  };
  return {
    places: (document, first) => page('places', document, first, packed),
    names: (document, first) => page('names', document, first, (rows) => ({
      ...packed(rows.map(([name]) => name)),
      places: Uint32Array.from(rows, ([, place]) => place),
    })),
  };
}

/** Announces the inventory and lets the component read it. */
function begin(procedures, inventory) {
  const bytes = (texts) => BigInt(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
  procedures.begin(inventory.map(({ document, places, names, 'naming-complete': namingComplete = true }) => ({
    document,
    places: places.length,
    placeBytes: bytes(places),
    names: names.length,
    nameBytes: bytes(names.map(([name]) => name)),
    namingComplete,
  })));
  for (let slice = 0; slice < 100_000; slice += 1) if (procedures.advance().done) return;
  throw new Error('procedures.advance never says that it is done');
}
