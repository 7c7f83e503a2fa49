// A trap of the component costs nothing: a new instance lands on the same decision, and until then the last one stands.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { newToggle } from '../src/component.mjs';
import { Policy, Refused } from '../src/policy.mjs';

const CALLS = ['adopt', 'toolsChanged', 'sizesTold', 'lineageTold', 'agentsSeen', 'agentGone', 'holds', 'command'];

/** Instances of the component, of which one traps at a chosen call. */
function trapping() {
  const plan = { at: undefined, after: 0, instances: 0, forever: false };
  const make = () => {
    plan.instances += 1;
    const toggle = newToggle();
    return {
      ...toggle,
      open(...words) {
        const real = toggle.open(...words);
        return new Proxy(real, {
          get(_, method) {
            return (...more) => {
              if (plan.at === method && (plan.after -= 1) < 0) {
                if (!plan.forever) plan.at = undefined;
                throw new WebAssembly.RuntimeError('unreachable');
              }
              return real[method](...more);
            };
          },
        });
      },
    };
  };
  return { plan, make };
}

/** What is in place, as a host would hold it. */
function living(make, config) {
  const held = new Map();
  const warnings = [];
  const carryOut = ({ masks, agents }) => {
    for (const { agent, mask, sections } of agents) {
      const now = held.get(agent) ?? { mask: [], sections: [] };
      held.set(agent, { mask: mask === undefined ? now.mask : masks[mask], sections: sections ?? now.sections });
    }
  };
  const host = { heldOf: (id) => held.get(id) ?? { mask: [], sections: [] }, carryOut, warn: (text) => warnings.push(text) };
  return { policy: new Policy(config, '/s.json', host, make), held, warnings, carryOut };
}

const agent = (id, parent) => ({ id, parent, origin: parent && 'subagent', names: undefined, held: undefined });
const toolset = (count) => ({ servers: [], names: Array.from({ length: count }, (_, index) => `mcp__rea__t${index}`), owned: [], agents: [] });
const bytes = (positions) => new TextEncoder().encode(JSON.stringify({
  version: 1, revision: 9, conversations: Object.fromEntries(Object.entries(positions).map(([id, enabled], index) => [id, { enabled, revision: index + 1 }])),
}));

/** A life, and what is in place at its end. */
function life({ policy, held, carryOut }) {
  carryOut(policy.adopt(bytes({ a: true, b: false })).orders);
  policy.adopt(new TextEncoder().encode('damaged'));
  carryOut(policy.toolsChanged(toolset(3)));
  policy.sizesTold([['mcp__rea__t0', 10n]]);
  carryOut(policy.lineageTold([{ id: 'gone', parent: 'a', origin: 'subagent' }]));
  carryOut(policy.agentsSeen([agent('a'), agent('b'), agent('c', 'gone')]));
  carryOut(policy.toolsChanged(toolset(4)));
  held.set('b', { mask: [], sections: [] });
  policy.holds('b', held.get('b'));
  carryOut(policy.adopt(bytes({ a: false, b: true })).orders);
  policy.agentGone('b');
  policy.agentGone('c');
  carryOut(policy.agentsSeen([agent('d', 'c')]));
  carryOut(policy.adopt(bytes({ a: true, b: true })).orders);
  return [[...held].sort(), policy.command('a', 'status')];
}

test('a trap in any call, at any time, leaves what a run without it leaves', () => {
  const wanted = life(living(newToggle));
  let trapped = 0;
  for (const at of CALLS) {
    for (let after = 0; after < 10; after += 1) {
      const { plan, make } = trapping();
      const bed = living(make);
      Object.assign(plan, { at, after });
      assert.deepEqual(life(bed), wanted, `${at}, call ${after + 1}`);
      if (plan.at) break;
      trapped += 1;
      assert.equal(bed.warnings.length, 1, at);
      assert.equal(plan.instances, 2, at);
    }
  }
  assert.ok(trapped > 10, `${trapped} traps`);
});

test('a call that traps each time is an error, and the last decision stands', () => {
  const { plan, make } = trapping();
  const { policy, held, carryOut } = living(make);
  carryOut(policy.toolsChanged(toolset(2)));
  carryOut(policy.agentsSeen([agent('a')]));
  Object.assign(plan, { at: 'command', forever: true });
  assert.throws(() => policy.command('a', 'on'), { name: 'RuntimeError' });
  assert.deepEqual(held.get('a'), { mask: ['mcp__rea__t0', 'mcp__rea__t1'], sections: ['mcp:rea'] });
  plan.at = undefined;
  assert.equal(policy.command('a', 'on').tag, 'change');
});

test('what the policy refuses is an error with the field, and no trap', () => {
  const { policy, warnings } = living(newToggle);
  assert.throws(() => policy.prepareWrite(undefined, { session: '', to: 'on' }), (error) => error instanceof Refused && error.problem.field === 'session');
  assert.deepEqual(warnings, []);
});
