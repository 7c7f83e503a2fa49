// The mask of one agent: the names that its tool list, code mode and dispatch don't have.

/**
 * Puts a mask on an agent in place of the one that is there.
 *
 * The new one is set before the old one is lifted: masks intersect, so there is no moment without one.
 * @param {import('./agents.mjs').Live} live the agent
 * @param {string[]} names to deny; empty only lifts
 * @throws if the host refuses a name; then the old mask is still there
 */
export function setMask(live, names) {
  const before = live.mask;
  live.mask = names.length === 0 ? undefined : { names, lift: live.agent.ctx.tools.restrict({ deny: names }) };
  lift(before);
}

/** What the mask denies. @param {import('./agents.mjs').Live} live */
export const maskOf = (live) => live.mask?.names ?? [];

/** Lifts the mask. @param {import('./agents.mjs').Live} live */
export function dropMask(live) {
  const before = live.mask;
  live.mask = undefined;
  lift(before);
}

// The disposer of a scope that is gone already may throw; then the mask is gone with it.
function lift(mask) {
  try {
    mask?.lift();
  } catch {
    // Nothing is left to lift.
  }
}
