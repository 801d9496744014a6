import type { CallToolResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Permission } from '../../access/permissions.js';
import type { ClientScope, Principal } from '../../access/principal.js';

/** One call of a tool. */
export interface ToolCall {
  readonly caller: Principal;
  /** Aborted when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  /** The named client, or the only one that the caller has. */
  scopeOf(input: { clientId?: string | undefined }): Promise<ClientScope>;
}

/** Something a model can do: the same as a REST route, by the same service, with the same permission. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly description: string;
  /** Defined once and for all: building a schema for each call would take longer than most calls. */
  readonly input: Input;
  readonly permission: Permission;
  /** `readOnly`: changes nothing. All others can be repeated without doing anything twice. */
  readonly readOnly: boolean;
  /** The result is sent as JSON, unless it is content already. */
  run(input: z.output<Input>, call: ToolCall): Promise<object>;
}

/** For pictures, which are no JSON. */
export class ToolContent {
  constructor(readonly blocks: CallToolResult['content']) {}
}

/** Keeps the type of the input for `run`, and forgets it afterwards. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool;
}
