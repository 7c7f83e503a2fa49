// Stands for what hosts from 0.1.6 on do themselves: the instructions of an MCP server as a section of the prompt.

export const name = 'rea-bed-instructions';
export const inject = ['systemPrompt'];

export function apply(ctx) {
  ctx.systemPrompt.section({ name: 'mcp:rea', order: 3100, text: '### MCP server: rea\nREA-INSTRUCTIONS: use these tools.' });
}
