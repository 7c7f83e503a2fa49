// T3: the pill, in small models of the browser and of the host's page. A real browser on a real host runs it in the
// whole bed.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';

const SCRIPT = readFileSync(new URL('../client/index.js', import.meta.url), 'utf8');

/** As much of React as the pill needs: one component, whose hooks keep their order. */
function react() {
  const cells = [];
  let index = 0;
  let effects = [];
  const hooks = {
    createElement: (type, props, ...children) => ({ type, props, children }),
    useState(first) {
      const at = index;
      index += 1;
      cells[at] ??= { value: typeof first === 'function' ? first() : first };
      return [cells[at].value, (value) => { cells[at].value = value; }];
    },
    useRef(first) {
      const at = index;
      index += 1;
      cells[at] ??= { current: first };
      return cells[at];
    },
    useEffect(work, uses) {
      const at = index;
      index += 1;
      if (cells[at] && uses.every((use, number) => Object.is(use, cells[at].uses[number]))) return;
      effects.push(() => {
        cells[at]?.end?.();
        cells[at] = { uses, end: work() };
      });
    },
  };
  return {
    hooks,
    render(component, props) {
      index = 0;
      effects = [];
      const tree = component(props);
      for (const effect of effects) effect();
      return tree;
    },
    unmount: () => cells.forEach((cell) => cell?.end?.()),
  };
}

/** A page with the plugin. `answers` are called in turn for each request. */
function page({ lang = 'en' } = {}) {
  const own = react();
  const requests = [];
  const timers = new Set();
  const registered = {};
  const listeners = new Map();
  const target = {
    addEventListener: (event, work) => listeners.set(event, work),
    removeEventListener: (event) => listeners.delete(event),
  };
  const window = { ...target, __ModuleLoader__: { load: (module) => { registered.module = module; } } };
  const style = { remove() { registered.style = undefined; } };
  runInNewContext(SCRIPT, {
    window,
    document: {
      ...target, hidden: false, documentElement: { lang },
      createElement: () => style, head: { append: (element) => { registered.style = element; } },
    },
    MutationObserver: class { observe() {} disconnect() {} },
    AbortController, encodeURIComponent, Infinity,
    setTimeout: () => 0, clearTimeout() {},
    setInterval: (work) => { timers.add(work); return work; },
    clearInterval: (work) => timers.delete(work),
    fetch: (url, options) => new Promise((resolve, reject) => { requests.push({ url, ...options, resolve, reject }); }),
  });
  const { inject, apply } = registered.module.factory((name) => (name === 'react' ? own.hooks : undefined));
  const ends = [];
  apply({
    effect: (work) => ends.push(work()),
    slots: { inject: (name, work) => work(), register: (slot, component) => Object.assign(registered, { slot, component }) },
  });
  const look = (sessionId) => own.render(registered.component, { sessionId });
  return { registered, inject, requests, timers, look, unmount: own.unmount, ends };
}

const answer = (session, enabled, more) => ({ ok: true, json: async () => ({ session, enabled, servers: ['rea'], tools: 3, ...more }) });
const turn = () => new Promise((resolve) => { setImmediate(resolve); });
const button = (tree) => tree.children[0].props;
const text = (tree) => tree.children[0].children[1].children[0];

test('T3 it stands below the composer, and asks how the session stands', async () => {
  const { registered, inject, requests, look } = page();
  assert.equal(registered.module.id, 'dsh-rea-toggle');
  assert.deepEqual([...inject], ['slots']);
  assert.equal(registered.slot.name, 'conversation.composer.dock');
  look('a b');
  assert.equal(requests[0].url, '/rea-toggle/state?session=a%20b');
  requests[0].resolve(answer('a b', false));
  await turn();
  const tree = look('a b');
  assert.equal(text(tree), 'REA off');
  assert.deepEqual([button(tree)['data-state'], button(tree)['data-broken'], button(tree)['aria-checked']], ['off', undefined, false]);
  assert.equal(look(undefined), null, 'without a session there is none');
});

test('T3 a click sets the other of what is shown; green is on', async () => {
  const { requests, look } = page();
  look('a');
  requests[0].resolve(answer('a', false));
  await turn();
  button(look('a')).onClick();
  button(look('a')).onClick();
  assert.equal(requests.length, 2, 'a second click waits for the first');
  assert.deepEqual([requests[1].method, requests[1].body], ['POST', '{"session":"a","enabled":true}']);
  assert.equal(button(look('a'))['aria-busy'], true);
  requests[1].resolve(answer('a', true));
  await turn();
  const tree = look('a');
  assert.deepEqual([text(tree), button(tree)['data-state'], button(tree)['aria-busy']], ['REA on', 'on', false]);
});

test('T3 red border when the host does not answer, the page of the app included', async () => {
  for (const reply of [
    (request) => request.reject(new Error('gone')),
    (request) => request.resolve({ ok: true, json: async () => JSON.parse('<html>') }),
    (request) => request.resolve({ ok: true, json: async () => ({}) }),
    (request) => request.resolve(answer('b', true)),
    (request) => request.resolve({ ok: false, json: async () => ({ error: { message: 'why' } }) }),
  ]) {
    const { requests, timers, look } = page();
    look('a');
    reply(requests[0]);
    await turn();
    let tree = look('a');
    assert.deepEqual([button(tree)['data-broken'], text(tree)], ['', 'REA off']);
    assert.match(button(tree)['aria-label'], /does not answer/u);
    for (const work of timers) work();
    requests[1].resolve(answer('a', true));
    await turn();
    tree = look('a');
    assert.deepEqual([button(tree)['data-broken'], text(tree)], [undefined, 'REA on'], 'and none when it answers again');
  }
});

test('T3 a late answer of another session, or of an earlier question, is dropped', async () => {
  const { requests, timers, look, unmount } = page();
  look('a');
  look('b');
  requests[0].resolve(answer('a', true));
  await turn();
  assert.deepEqual([text(look('b')), button(look('b'))['aria-busy']], ['REA off', true]);
  requests[1].resolve(answer('b', false));
  await turn();
  for (const work of timers) work();
  button(look('b')).onClick();
  requests[3].resolve(answer('b', true));
  await turn();
  requests[2].resolve(answer('b', false));
  await turn();
  assert.equal(text(look('b')), 'REA on');
  unmount();
  assert.equal(timers.size, 0);
});

test('T3 in the language of the host, with the names of the servers', async () => {
  const { requests, look } = page({ lang: 'zh-CN' });
  look('a');
  requests[0].resolve(answer('a', true, { servers: ['rea', 'ghidra'] }));
  await turn();
  assert.equal(text(look('a')), 'rea, ghidra 开');
  const plain = page({ lang: 'zh' });
  plain.look('a');
  plain.requests[0].resolve(answer('a', false, { tools: 0 }));
  await turn();
  assert.equal(text(plain.look('a')), 'REA 关');
  assert.match(button(plain.look('a')).title, /没有连接/u);
});

test('T14 unloading the browser half leaves nothing', () => {
  const { ends, registered } = page();
  assert.ok(registered.style);
  ends.forEach((end) => end());
  assert.equal(registered.style, undefined);
});
