// Where an agent came from. A sub-agent says who made it; a user's fork says so too, and is a conversation of its own.

/** Ancestors that are asked for, for one agent. */
const DEEPEST = 64;

/**
 * @param {{session?: {header?: object}}} agent
 * @returns {{parent: string | undefined, origin: string | undefined}}
 */
export function originOf(agent) {
  return fromHeader(agent.session?.header);
}

function fromHeader(header) {
  const text = (value) => (typeof value === 'string' ? value : undefined);
  return { parent: text(header?.parentSession), origin: text(header?.origin) };
}

/**
 * Asks the host's log for ancestors that aren't live. Only a sub-agent of a sub-agent that is resumed after a restart
 * has any that matter.
 * @param {object | undefined} persistence the host's service, if there is one
 * @param {string} parent the first one
 * @param {(id: string) => boolean} isKnown whether no more need be asked
 * @returns {Promise<Array<{id: string, parent?: string, origin?: string}>>}
 */
export async function ancestorsOf(persistence, parent, isKnown) {
  const line = [];
  for (let id = parent; id !== undefined && !isKnown(id) && line.length < DEEPEST;) {
    const { meta, header } = await persistence.inspect(id);
    const found = { id, ...fromHeader(meta ?? header) };
    line.push(found);
    id = found.origin === 'subagent' && !line.some((one) => one.id === found.parent) ? found.parent : undefined;
  }
  return line;
}
