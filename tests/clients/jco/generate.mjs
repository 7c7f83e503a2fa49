// Writes what the DSH plugin loads: the component as JavaScript and core WebAssembly.
//
//   node generate.mjs --component FILE --to FOLDER [--check]
//
// The result depends on the component and on jco's version alone, not on folders, times or machines. With `--check`
// nothing is written: what is there must be these very bytes. One line a file; the last line sums up.

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { transpile } from '@bytecodealliance/jco-transpile';

import { check, finish } from '../typescript/checks.mjs';

const HEADER = '// Generated from guest/ and wit/ by `cargo xtask dsh`. Not to be edited, nor merged by hand: run it again.\n';
const README = `# Generated: not to be edited

\`cargo xtask dsh\` writes this folder: the component that \`guest/\` and \`wit/\` build, transpiled by jco. It is kept in
the tree because a plugin that is installed from a git address is not built. After a merge run the command again;
\`cargo xtask test\` compares every byte with what today's source builds.
`;

/** The files by their name in the folder. */
async function generate(component) {
  // Synchronous: the plugin must have decided before the host goes on to a prompt.
  const { files } = await transpile(component, { name: 'guide', outDir: '.', instantiation: 'sync' });
  const all = Object.entries(files).map(([path, bytes]) => {
    const name = path.replace(/^\.\//u, '');
    return [name, name.endsWith('.wasm') ? Buffer.from(bytes) : Buffer.from(HEADER + Buffer.from(bytes).toString())];
  });
  return new Map([...all, ['README.md', Buffer.from(README)]].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The names of all files below a folder. */
const below = (folder) => (existsSync(folder)
  ? readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1))
  : []);

const { values: options } = parseArgs({
  options: { component: { type: 'string' }, to: { type: 'string' }, check: { type: 'boolean', default: false } },
});
const files = await generate(options.component);
const there = below(options.to);
for (const name of there.filter((name) => !files.has(name))) {
  if (options.check) check(`${name} is no longer made`, false);
  else rmSync(join(options.to, name));
}
for (const [name, bytes] of files) {
  const path = join(options.to, name);
  if (!options.check) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  check(name, existsSync(path) && readFileSync(path).equals(bytes), 'other bytes: run `cargo xtask dsh`');
}
finish();
