// T10: what a host finds in the package.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import * as plugin from '../src/index.mjs';

const root = new URL('../', import.meta.url);
const read = (name) => readFileSync(new URL(name, root), 'utf8');
const manifest = JSON.parse(read('package.json'));

test('T10 a bundle of one row, with a browser half, and without a dependency', () => {
  assert.equal(manifest.name, 'dsh-rea-toggle');
  assert.equal(manifest.type, 'module');
  for (const field of ['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies']) assert.equal(manifest[field], undefined);
  for (const path of [manifest.main, ...Object.values(manifest.exports), manifest.dsh.bundle.patch]) assert.ok(existsSync(new URL(path, root)), path);
  assert.match(read(manifest.dsh.bundle.patch), /^- insert:\n {4}- id: rea-toggle\n {6}name: dsh-rea-toggle\n/mu);
  assert.equal(manifest.dsh.client.platform, 'web');
});

test('T10 a git address with nothing built is enough: all that is loaded is in the tree', () => {
  for (const name of ['guide.js', 'guide.core.wasm', 'guide.core2.wasm', 'guide.core3.wasm']) assert.ok(existsSync(new URL(`generated/${name}`, root)), name);
  assert.equal(manifest.scripts.prepare, undefined);
  assert.equal(manifest.scripts.postinstall, undefined);
  for (const name of readdirSync(new URL('src/', root))) {
    for (const [, from] of read(`src/${name}`).matchAll(/^import .* from '([^']+)'/gmu)) assert.match(from, /^(?:node:|\.\.?\/)/u, name);
  }
});

test('the plugin has the shape that the host loads', () => {
  assert.deepEqual(Object.keys(plugin).sort(), ['apply', 'inject', 'name']);
  assert.equal(typeof plugin.apply, 'function');
});
