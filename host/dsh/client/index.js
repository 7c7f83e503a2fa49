// The browser half of the plugin: a pill below the composer. One script, as the host loads it; nothing is built.

window.__ModuleLoader__.load({
  id: 'dsh-rea-toggle',
  factory: (require) => {
    const { createElement, useEffect, useRef, useState } = require('react');

    const ADDRESS = '/rea-toggle/state';

    /** Between two looks at what holds, in ms: `/rea`, another tab or another program may have changed it. */
    const EVERY = 2000;

    /** How long an answer is waited for, in ms. A change may wait 10 s for others who change the file. */
    const PATIENCE = { GET: 5000, POST: 15_000 };

    const WORDS = {
      en: {
        on: (name) => `${name} on`,
        off: (name) => `${name} off`,
        label: (name) => `${name} in this conversation`,
        reaching: (count) => `${count} tools and their instructions reach the model in this conversation. Click to switch them off.`,
        hidden: (count) => `${count} tools and their instructions are hidden from the model in this conversation. Click to switch them on.`,
        absent: (names) => `No tools of ${names} are connected.`,
        broken: 'The host does not answer.',
      },
      zh: {
        on: (name) => `${name} 开`,
        off: (name) => `${name} 关`,
        label: (name) => `本对话的 ${name}`,
        reaching: (count) => `本对话中，${count} 个工具及其说明对模型可见。点击关闭。`,
        hidden: (count) => `本对话中，${count} 个工具及其说明对模型隐藏。点击打开。`,
        absent: (names) => `没有连接到 ${names} 的工具。`,
        broken: '宿主没有应答。',
      },
    };

    /** The host says its language here, whichever version it is. */
    const language = () => (/^zh/iu.test(document.documentElement.lang) ? 'zh' : 'en');

    /** Asks the host. Whatever isn't its answer for this session is none: a page of the app, say, where there is no route. */
    async function ask(session, method, body) {
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort(), PATIENCE[method]);
      try {
        const query = method === 'GET' ? `?session=${encodeURIComponent(session)}` : '';
        const response = await fetch(ADDRESS + query, {
          method,
          signal: abort.signal,
          cache: 'no-store',
          ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
        });
        const json = await response.json();
        if (!response.ok) return { error: json?.error?.message };
        return json?.session === session && typeof json.enabled === 'boolean' ? json : undefined;
      } catch {
        return undefined;
      } finally {
        clearTimeout(timer);
      }
    }

    /**
     * Follows one session. Tells what holds, or that the host doesn't answer; an answer that was overtaken by a later
     * question is dropped, and so is all that comes after the end.
     */
    function follow(session, tell) {
      let latest = 0;
      let flipping = false;
      let known;
      const put = async (method, body) => {
        latest += 1;
        const turn = latest;
        const answer = await ask(session, method, body);
        if (turn !== latest) return;
        const broken = typeof answer?.enabled !== 'boolean';
        if (!broken) known = answer;
        tell({ session, known, broken, why: answer?.error, flipping: false });
      };
      const look = () => (flipping || document.hidden ? undefined : put('GET'));
      const timer = setInterval(look, EVERY);
      document.addEventListener('visibilitychange', look);
      window.addEventListener('focus', look);
      look();
      return {
        async flip() {
          if (flipping) return;
          flipping = true;
          tell({ session, known, broken: false, why: undefined, flipping });
          // The other of what is shown, so that a click whose answer was lost can be repeated.
          await put('POST', known ? { session, enabled: !known.enabled } : { session });
          flipping = false;
        },
        end() {
          latest = Infinity;
          clearInterval(timer);
          document.removeEventListener('visibilitychange', look);
          window.removeEventListener('focus', look);
        },
      };
    }

    function useLanguage() {
      const [now, set] = useState(language);
      useEffect(() => {
        const observer = new MutationObserver(() => set(language()));
        observer.observe(document.documentElement, { attributes: true, attributeFilter: ['lang'] });
        return () => observer.disconnect();
      }, []);
      return now;
    }

    /** What the pill shows. */
    function shown({ known, broken, why, flipping }, lang) {
      const words = WORDS[lang];
      const names = known?.servers ?? ['rea'];
      const name = names.join() === 'rea' ? 'REA' : names.join(', ');
      const on = known?.enabled === true;
      const cost = on ? words.reaching(known?.tools) : words.hidden(known?.tools);
      const about = known?.tools === 0 ? words.absent(names.join(', ')) : cost;
      return {
        text: on ? words.on(name) : words.off(name),
        title: broken ? [words.broken, why].filter(Boolean).join(' ') : known && about,
        label: broken ? `${words.label(name)}. ${words.broken}` : words.label(name),
        state: on ? 'on' : 'off',
        on,
        broken,
        busy: flipping || (!known && !broken),
      };
    }

    function Pill({ sessionId }) {
      const [view, tell] = useState({});
      const following = useRef(undefined);
      const lang = useLanguage();
      useEffect(() => {
        if (!sessionId) return undefined;
        const own = follow(sessionId, tell);
        following.current = own;
        return () => own.end();
      }, [sessionId]);
      if (!sessionId) return null;
      // What was told of another session says nothing about this one.
      const { text, title, label, state, on, broken, busy } = shown(view.session === sessionId ? view : {}, lang);
      return createElement('div', { className: 'rea-toggle' }, createElement('button', {
        type: 'button',
        role: 'switch',
        'aria-checked': on,
        'aria-label': label,
        'aria-busy': busy,
        title,
        'data-state': state,
        'data-broken': broken ? '' : undefined,
        onClick: () => following.current?.flip(),
      }, createElement('span', { className: 'rea-toggle-dot', 'aria-hidden': true }), createElement('span', null, text)));
    }

    // Colours are the host's, so that the pill follows its themes.
    const STYLE = `
.rea-toggle { display: flex; justify-content: center; padding-top: 4px; }
.rea-toggle button {
  display: inline-flex; align-items: center; gap: 6px; max-width: 20em; padding: 1px 10px; overflow: hidden;
  font: inherit; font-size: 12px; line-height: 18px; white-space: nowrap; cursor: pointer; background: none;
  color: var(--dsw-alias-label-tertiary, #767676); border: 1px solid var(--dsw-alias-border-l2, #c8c8c8); border-radius: 999px;
}
.rea-toggle button:hover { background: var(--dsw-alias-interactive-bg-hover, rgb(127 127 127 / 12%)); }
.rea-toggle button:focus-visible { outline: 2px solid var(--dsw-alias-brand-primary, #3964fe); outline-offset: 2px; }
.rea-toggle button[aria-busy='true'] { cursor: progress; }
.rea-toggle-dot { flex: none; width: 7px; height: 7px; border-radius: 50%; background: currentcolor; }
.rea-toggle button[data-state='on'] {
  color: var(--dsw-alias-state-success-primary, #15803d); border-color: var(--dsw-alias-state-success-primary, #15803d);
}
.rea-toggle button[data-broken] { border-color: var(--dsw-alias-state-error-primary, #dc2626); }
`;

    function apply(ctx) {
      ctx.effect(() => {
        const style = document.createElement('style');
        style.textContent = STYLE;
        document.head.append(style);
        return () => style.remove();
      });
      const name = 'conversation.composer.dock';
      // Behind the host's line of figures, which has order 0.
      ctx.slots.inject(name, () => ctx.slots.register({ name, id: 'rea-toggle', order: 100 }, Pill));
    }

    return { inject: ['slots'], apply };
  },
});
