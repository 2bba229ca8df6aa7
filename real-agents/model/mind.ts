/** What a scripted model sees of a conversation and what it does next, whatever the wire it is spoken to over. */

/** One request, reduced to what a mind may look at. */
export interface Seen {
  readonly wire: 'anthropic' | 'chat' | 'responses';
  readonly model: string;
  readonly system: string;
  /** Names of the tools that are offered. */
  readonly tools: readonly string[];
  /** What was said by the user, oldest first; reminders that an agent adds by itself are not among it. */
  readonly prompts: readonly string[];
  /** The calls made since the last of them, with their results. */
  readonly calls: readonly Call[];
}

export interface Call {
  readonly tool: string;
  readonly input: unknown;
  /** What came of it, as text; undefined where it was cut short. */
  readonly result: string | undefined;
}

/** `usage` of the answer, in tokens. */
export type Move =
  /** Ends the turn with a text. */
  (
    | { readonly say: string }
    /** A command in the agent's own shell tool. */
    | { readonly run: string; readonly say?: string }
    /** A tool of the `legion` MCP server. */
    | { readonly verb: string; readonly input: object }
    /** Any other tool, by its name on this wire. */
    | { readonly tool: string; readonly input: object }
    /** An answer of HTTP instead of one of the model. */
    | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: object }
    /** Says nothing for ever, or until whoever asked goes away. */
    | { readonly silent: true }
  ) & { readonly usage?: Usage };

export interface Usage {
  readonly in: number;
  readonly out: number;
}

export const USUAL_USAGE: Usage = { in: 100, out: 20 };

/** The same conversation leads to the same move, so that a request made twice does no harm. */
export type Mind = (seen: Seen) => Move | Promise<Move>;
