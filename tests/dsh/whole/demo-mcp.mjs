// A small MCP server over stdio, with tools whose names must be sanitised and shortened, and one that grows the list.

import { createInterface } from 'node:readline';

const tools = [0, 1, 2, 3].map((number) => `tool_${number}`).concat('dotted.name', 'l'.repeat(80))
  .map((name) => ({ name, description: `demo ${name.slice(0, 20)}`, inputSchema: { type: 'object', properties: { grow: { type: 'boolean' } } } }));
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'demo', version: '1' },
    instructions: 'REA-INSTRUCTIONS: use these tools.',
  }),
  'tools/list': () => ({ tools }),
  'tools/call'({ name, arguments: words }) {
    if (words?.grow) {
      tools.push({ ...tools[0], name: `grown_${tools.length}` });
      setTimeout(() => send({ method: 'notifications/tools/list_changed' }), 0);
    }
    return { content: [{ type: 'text', text: `did ${name}` }] };
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method]?.(params ?? {});
  send(answer ? { id, result: answer } : { id, error: { code: -32601, message: 'no such method' } });
});
