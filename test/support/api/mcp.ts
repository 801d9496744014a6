import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Revisions of the Model Context Protocol, as the official client negotiates them. */
export const ERAS = { current: { pin: '2026-07-28' }, previous: 'legacy' } as const;
export type Era = keyof typeof ERAS;

/** What a model receives from a call: its text, parsed if it is JSON, and its pictures. */
export interface ToolOutput {
  readonly isError: boolean;
  readonly text: string;
  readonly json: any;
  readonly pictures: readonly { mimeType: string; bytes: Buffer }[];
}

/** The official client, as an agent with an API key. */
export class McpAgent {
  private constructor(readonly client: Client) {}

  static async connect(url: string, key: string, era: Era = 'current'): Promise<McpAgent> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: ERAS[era] } });
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/agents/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    });
    await client.connect(transport);
    return new McpAgent(client);
  }

  async call(name: string, input: Record<string, unknown> = {}): Promise<ToolOutput> {
    const { content, isError = false } = await this.client.callTool({ name, arguments: input });
    const [first] = content;
    const text = first?.type === 'text' ? first.text : '';
    return {
      isError,
      text,
      json: isError ? null : JSON.parse(text),
      pictures: content.flatMap((block) =>
        block.type === 'image'
          ? [{ mimeType: block.mimeType, bytes: Buffer.from(block.data, 'base64') }]
          : [],
      ),
    };
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
