/** A scripted model's view of a conversation and its next move, the same for every model API. */

/** One request, reduced to what a scripted model may see. */
export interface ModelRequest {
  readonly wire: 'anthropic' | 'chat' | 'responses';
  readonly model: string;
  readonly system: string;
  /** Names of the offered tools. */
  readonly tools: readonly string[];
  /** The user's messages, oldest first, without reminders that an agent adds itself. */
  readonly prompts: readonly string[];
  /** The tool calls since the last user message, with their results. */
  readonly calls: readonly ToolCall[];
}

export interface ToolCall {
  readonly tool: string;
  readonly input: unknown;
  /** The result as text. Undefined if the call was interrupted. */
  readonly result: string | undefined;
}

/** The model's next move. `usage` is the number of tokens it reports for the answer. */
export type ModelMove =
  /** Ends the turn with a text. */
  (
    | { readonly say: string }
    /** Runs a command in the agent's own shell tool. */
    | { readonly run: string; readonly say?: string }
    /** Calls a tool of the `legion` MCP server. */
    | { readonly verb: string; readonly input: object }
    /** Calls any other tool, by its name in this API. */
    | { readonly tool: string; readonly input: object }
    /** Sends an HTTP response instead of a model answer. */
    | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: object }
    /** Stays silent until the client disconnects. */
    | { readonly silent: true }
  ) & { readonly usage?: TokenUsage };

export interface TokenUsage {
  readonly in: number;
  readonly out: number;
}

export const USUAL_USAGE: TokenUsage = { in: 100, out: 20 };

/**
 * Chooses the next move. The same conversation must lead to the same move, so that a repeated
 * request is harmless.
 */
export type ScriptedMind = (seen: ModelRequest) => ModelMove | Promise<ModelMove>;
