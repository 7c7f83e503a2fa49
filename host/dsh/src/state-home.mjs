// Where the state file is: the rules of the host and of the native program are the same.

import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * The folder in which DSH keeps its data: `$DSH_HOME`, of which blanks count as nothing and a leading `~` is the home
 * folder; else `~/.dsh`.
 * @param {NodeJS.ProcessEnv} env the environment
 * @param {string} home the home folder
 * @returns {string} an absolute path
 */
export function dshHome(env = process.env, home = homedir()) {
  const named = env.DSH_HOME ?? '';
  if (named.trim() === '') return join(home, '.dsh');
  return resolve(/^~(?=$|[/\\])/u.test(named) ? join(home, named.slice(1)) : named);
}

/**
 * The state file.
 * @param {((...parts: string[]) => string) | undefined} hostPath how the host itself names a file in its home, if it says
 * @returns {string} an absolute path
 */
export function statePath(hostPath) {
  const name = 'rea-toggle.json';
  const told = typeof hostPath === 'function' ? hostPath(name) : undefined;
  return typeof told === 'string' && told !== '' ? resolve(told) : join(dshHome(), name);
}
