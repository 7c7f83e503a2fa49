// `/rea-toggle/state` over HTTP. What a request means, and whether it is welcome, is decided by the policy; here bytes
// are moved. The host fences its own `/api`, not such routes.

/** Header fields that decisions depend on. */
const OF_USE = new Set([
  'host', 'origin', 'sec-fetch-site', 'content-type', 'content-encoding', 'access-control-request-method',
]);

/**
 * @param {{agents: import('./agents.mjs').Agents, policy: import('./policy.mjs').Policy, store: import('./store.mjs').Store}} parts
 * @param {() => string[]} trustedHosts authorities beside the loopback ones under which the host may be addressed
 * @returns {{kind: 'exact', path: string, handler: Function}} a route as the host registers it
 */
export function routeOf({ agents, policy, store }, trustedHosts) {
  const answer = async (request) => {
    const body = await bodyOf(request, policy.sizes.bodyBytes);
    store.refresh();
    agents.measure();
    const step = policy.http(asked(request, body), { hosts: trustedHosts(), origins: [] });
    if (step.tag === 'response') return step.val;
    return policy.httpAnswer(step.val, await store.change(step.val.change));
  };
  return {
    kind: 'exact',
    path: '/rea-toggle/state',
    async handler(request, response) {
      let given;
      try {
        given = await answer(request);
      } catch (error) {
        if (request.destroyed && !request.complete) return;
        const message = `The switch itself failed: ${error?.message ?? error}`;
        given = { status: 500, headers: [], body: JSON.stringify({ error: { kind: 'failed', field: '', message } }) };
        given.headers.push(['content-type', 'application/json'], ['cache-control', 'no-store']);
      }
      // What was left unread of a body must not be taken for the next request.
      if (!request.complete) given.headers.push(['connection', 'close']);
      response.writeHead(given.status, given.headers.flat());
      response.end(given.body);
    },
  };
}

function asked(request, body) {
  const { rawHeaders } = request;
  const headers = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (OF_USE.has(rawHeaders[index].toLowerCase())) headers.push([rawHeaders[index], rawHeaders[index + 1]]);
  }
  const mark = request.url.indexOf('?');
  return { method: request.method, query: mark < 0 ? undefined : request.url.slice(mark + 1), headers, body };
}

/** The body, up to one byte more than is read: the policy then says that it is too large. */
async function bodyOf(request, most) {
  const blocks = [];
  let left = most + 1;
  for await (const block of request.iterator({ destroyOnReturn: false })) {
    blocks.push(block.subarray(0, left));
    left -= block.length;
    if (left <= 0) break;
  }
  return new Uint8Array(Buffer.concat(blocks));
}
