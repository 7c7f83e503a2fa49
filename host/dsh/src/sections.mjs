// Sections of the system prompt that are shadowed for one agent: a section of an agent's own scope hides the global one
// of the same name, and an empty one is left out of the prompt.

/** Where the instructions of MCP servers stand, in hosts that don't name the place. */
const MCP_SERVERS = 3100;

/**
 * Shadows exactly these sections. Those that are shadowed already stay untouched.
 * @param {import('./agents.mjs').Live} live the agent
 * @param {string[]} names
 * @throws the first refusal of the host, after all were tried: somebody else may have shadowed the same section
 */
export function setSections(live, names) {
  const { shadows } = live;
  let refusal;
  for (const name of names.filter((name) => !shadows.has(name))) {
    try {
      shadows.set(name, shadow(live.agent.ctx.systemPrompt, name));
    } catch (error) {
      refusal ??= error;
    }
  }
  for (const name of [...shadows.keys()].filter((name) => !names.includes(name))) drop(shadows, name);
  if (refusal) throw refusal;
}

/** The sections that are shadowed. @param {import('./agents.mjs').Live} live */
export const sectionsOf = (live) => [...live.shadows.keys()];

/** Lifts all of them. @param {import('./agents.mjs').Live} live */
export function dropSections(live) {
  for (const name of sectionsOf(live)) drop(live.shadows, name);
}

function shadow(systemPrompt, name) {
  const told = systemPrompt.getSectionOrder?.('MCP_SERVERS');
  return systemPrompt.section({ name, order: Number.isFinite(told) ? told : MCP_SERVERS, text: '' });
}

function drop(shadows, name) {
  const lift = shadows.get(name);
  shadows.delete(name);
  try {
    lift();
  } catch {
    // The scope is gone, and the section with it.
  }
}
