// A model that records: it keeps each request that reaches it, and answers with one line. A user's text
// `CALL:<tool>:<arguments in base64url>` makes it call that tool once.

import { createServer } from 'node:http';

/** @returns {Promise<{address: string, requests: object[], close(): void}>} */
export async function startModel() {
  const requests = [];
  const server = createServer((message, response) => {
    const blocks = [];
    message.on('data', (block) => blocks.push(block));
    message.on('end', () => {
      response.setHeader('content-type', 'application/json');
      if (message.url.includes('/models')) {
        response.end(JSON.stringify({ object: 'list', data: [{ id: 'deepseek-v4-flash', object: 'model' }] }));
        return;
      }
      const body = JSON.parse(Buffer.concat(blocks));
      requests.push(body);
      answer(body, response);
    });
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return { address: `http://127.0.0.1:${server.address().port}`, requests, close: () => server.close() };
}

function answer(body, response) {
  const { delta, finish_reason } = reply(body);
  const base = { id: 'reply', created: 1, model: body.model };
  const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
  if (!body.stream) {
    response.end(JSON.stringify({ ...base, object: 'chat.completion', choices: [{ index: 0, message: delta, finish_reason }], usage }));
    return;
  }
  response.setHeader('content-type', 'text/event-stream');
  const chunk = (choice, more) => `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }], ...more })}\n\n`;
  response.end(`${chunk({ delta, finish_reason: null })}${chunk({ delta: {}, finish_reason }, { usage })}data: [DONE]\n\n`);
}

function reply({ messages, tools = [] }) {
  // What was said since the model's last turn: the host adds messages of its own behind what a person typed.
  const last = messages.findLastIndex(({ role }) => role !== 'user');
  const said = messages.slice(last + 1).map(textOf).join('\n');
  const [, name, words] = /CALL:([\w-]+):([\w-]+)/u.exec(said) ?? [];
  // Without tools it is asked for the title of a session: the mark of its first prompt.
  if (tools.length === 0) return { delta: { role: 'assistant', content: /mark-\d+/u.exec(said)?.[0] ?? 'done' }, finish_reason: 'stop' };
  if (!name) return { delta: { role: 'assistant', content: 'done' }, finish_reason: 'stop' };
  const call = { name, arguments: Buffer.from(words, 'base64url').toString() };
  return {
    delta: { role: 'assistant', content: null, tool_calls: [{ index: 0, id: `call_${messages.length}`, type: 'function', function: call }] },
    finish_reason: 'tool_calls',
  };
}

/** The text of a message. */
export const textOf = ({ content }) => (typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join(''));

/** What makes the model call a tool. */
export const calling = (tool, words) => `CALL:${tool}:${Buffer.from(JSON.stringify(words)).toString('base64url')}`;
