// What the host says about tools and MCP servers.

/** How the bridge of DSH begins the name of every tool of an MCP server. Others are none of ours. */
const BRIDGED = 'mcp__';

/**
 * The names that can be denied: what a scope inherits, before masks, without what it registered itself.
 * @param {object} tools the host's service
 * @param {object | undefined} scope an agent; undefined for what is there for all
 * @param {(key: string, text: string) => void} warnOnce
 * @returns {string[]} sorted, so that the same names are the same list
 */
export function deniable(tools, scope, warnOnce) {
  let names;
  try {
    // A set. It is private to the host's own types, but what `restrict` itself goes by.
    names = tools.view(scope).restrictableNames;
  } catch {
    // Said below.
  }
  if (typeof names?.[Symbol.iterator] !== 'function') {
    warnOnce('view', 'this host does not say which tools can be denied; what all agents have is taken for it');
    names = tools.schemas().map(({ name }) => name);
  }
  return [...names].filter((name) => name.startsWith(BRIDGED)).sort();
}

/**
 * The MCP servers that the host was configured with, also those that are down: so `rea` is not taken for the owner of
 * what `rea__x` offers.
 * @param {object | undefined} loader the host's service, if there is one
 * @returns {Array<{name: string}>}
 */
export function configuredServers(loader) {
  const names = new Set();
  try {
    for (const entry of loader?.entries?.() ?? []) {
      for (const config of [entry.fiber?.config, entry.options?.config]) {
        const name = config?.serverName;
        // The policy takes no others, and neither does the bridge.
        if (typeof name === 'string' && /^[A-Za-z0-9_-]{1,32}$/u.test(name)) names.add(name);
      }
    }
  } catch {
    // A host that lists its rows otherwise: the names of the tools are left to go by.
  }
  return [...names].sort().slice(0, 1000).map((name) => ({ name, state: undefined }));
}

/**
 * What the schemas of bridged tools come to, for the cost that people are shown.
 * @param {object} tools the host's service
 * @returns {Array<[string, bigint]>}
 */
export function schemaSizes(tools) {
  return tools.schemas()
    .filter(({ name }) => name.startsWith(BRIDGED))
    .map(({ name, description, parameters }) => {
      const text = JSON.stringify({ name, description, parameters });
      return [name, BigInt(Buffer.byteLength(text))];
    });
}
