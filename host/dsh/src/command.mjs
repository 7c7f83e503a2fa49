// `/rea on|off|enable|disable|toggle|status`, for the conversation in which it is typed.

/**
 * @param {{agents: import('./agents.mjs').Agents, policy: import('./policy.mjs').Policy, store: import('./store.mjs').Store}} parts
 * @returns {object} a command as the host registers it
 */
export function commandOf({ agents, policy, store }) {
  return {
    name: 'rea',
    description: 'Switch whether the tools and instructions of an MCP server reach the model in this conversation',
    input: { hint: 'on | off | toggle | status' },
    async handler({ agent, rawInput }) {
      store.refresh();
      agents.measure();
      const step = policy.command(agent.id, rawInput ?? '');
      if (step.tag === 'reply') return asResult(step.val);
      const failure = await store.change(step.val);
      return asResult(policy.commandAnswer(step.val, failure));
    },
  };
}

const asResult = ({ ok, text }) => ({ kind: ok ? 'success' : 'error', text });
