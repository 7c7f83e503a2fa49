// One way to talk to `rea mcp` through the official TypeScript SDKs: the package of the 1.x line and the client of
// the 2.x line.

/** The JSON-RPC error that a request got. */
export class Refused extends Error {
  constructor(error) {
    super(`${error.code}: ${error.message}`);
    this.code = error.code;
    this.data = error.data;
  }
}

const SDKS = {
  'sdk-1': async () => {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
    const { EmptyResultSchema } = await import('@modelcontextprotocol/sdk/types.js');
    return { Client, StdioClientTransport, anything: EmptyResultSchema };
  },
  'client-2': async () => {
    const { Client } = await import('@modelcontextprotocol/client');
    const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
    return { Client, StdioClientTransport };
  },
};

/** What a mode of ours is called by the 2.x client. The 1.x line knows the handshake only. */
const NEGOTIATION = { legacy: 'legacy', auto: 'auto', modern: { pin: '2026-07-28' } };

/** A connection to a `rea mcp` of its own, or to another server. */
export class Peer {
  static async connect(rea, sdk, mode, args = ['mcp'], onTools = undefined) {
    if (!(sdk in SDKS)) throw new Error(`--sdk is one of ${Object.keys(SDKS)}`);
    if (!(mode in NEGOTIATION)) throw new Error(`--mode is one of ${Object.keys(NEGOTIATION)}`);
    if (sdk === 'sdk-1' && mode !== 'legacy') throw new Error('this SDK knows the legacy handshake only');
    const peer = new Peer();
    const { Client, StdioClientTransport, anything } = await SDKS[sdk]();
    peer.anything = anything;
    peer.client = new Client(
      { name: 'rea-tests', version: '1' },
      {
        versionNegotiation: { mode: NEGOTIATION[mode] },
        // The 2.x client opens a subscription for this where the era has them; the 1.x line has no such option.
        ...(onTools && sdk === 'client-2' ? { listChanged: { tools: { onChanged: onTools } } } : {}),
      },
    );
    peer.transport = new StdioClientTransport({ command: rea, args });
    await peer.client.connect(peer.transport);
    return peer;
  }

  /** What was negotiated, for people. The 1.x line doesn't say. */
  get version() {
    return this.client.getNegotiatedProtocolVersion?.() ?? 'legacy';
  }

  get capabilities() {
    return this.client.getServerCapabilities();
  }

  get instructions() {
    return this.client.getInstructions();
  }

  async prompts() {
    return (await this.client.listPrompts()).prompts;
  }

  async tools() {
    return (await this.client.listTools()).tools;
  }

  prompt(name, args) {
    return this.client.getPrompt({ name, arguments: args });
  }

  /** The `completion` object: values, total, hasMore. */
  async complete(prompt, argument, value = '', context = undefined) {
    const params = { ref: { type: 'ref/prompt', name: prompt }, argument: { name: argument, value } };
    if (context) params.context = { arguments: context };
    return (await this.client.complete(params)).completion;
  }

  /** A tool's structured content. A tool that says that it failed is an exception. */
  async call(name, args = {}) {
    const answer = await this.client.callTool({ name, arguments: args });
    if (answer.isError) throw new Error(`${name}: ${answer.content[0].text}`);
    return answer.structuredContent;
  }

  /** The error that a wrong request gets. */
  async refusal(method, params) {
    try {
      await this.client.request({ method, params }, this.anything);
    } catch (error) {
      if (typeof error.code !== 'number') throw error;
      return new Refused(error);
    }
    throw new Error(`${method} with ${JSON.stringify(params)} was answered`);
  }

  close() {
    return this.client.close();
  }
}
