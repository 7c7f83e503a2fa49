// Another program that changes positions: writer.mjs STATE NAME COUNT switches the conversations NAME0, NAME1 … on,
// writer.mjs STATE ID on|off one of them.

import { Policy } from '../src/policy.mjs';
import { Store } from '../src/store.mjs';

const [path, name, word] = process.argv.slice(2);
const changes = ['on', 'off'].includes(word)
  ? [{ session: name, to: word }]
  : Array.from({ length: Number(word) }, (_, number) => ({ session: `${name}${number}`, to: 'on' }));
const host = { heldOf: () => ({ mask: [], sections: [] }), carryOut() {}, warn: console.error };
const store = new Store(path, new Policy(undefined, path, host), () => {}, console.error);
for (const change of changes) {
  const failure = await store.change(change);
  if (failure) {
    console.error(failure.detail);
    process.exit(1);
  }
}
process.disconnect?.();
