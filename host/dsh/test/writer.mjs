// A process that switches conversations on: writer.mjs STATE NAME COUNT.

import { Policy } from '../src/policy.mjs';
import { Store } from '../src/store.mjs';

const [path, name, count] = process.argv.slice(2);
const host = { heldOf: () => ({ mask: [], sections: [] }), carryOut() {}, warn: console.error };
const store = new Store(path, new Policy(undefined, path, host), () => {}, console.error);
for (let number = 0; number < Number(count); number += 1) {
  const failure = await store.change({ session: `${name}${number}`, to: 'on' });
  if (failure) {
    console.error(failure.detail);
    process.exit(1);
  }
}
process.disconnect?.();
