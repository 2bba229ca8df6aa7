/** The port to a coding agent: `claude-code`, `opencode`, `codex`, `scripted`. */
import type { SessionId } from '../core/model/ids.ts';

/**
 * Contract, verified by one conformance suite for every agent:
 *
 * - **An agent describes, a host executes.** `launch` and `resume` describe a process without
 *   starting it. The host passes the output of the process to `read` line by line and gets events
 *   back, so a restarted daemon continues where it stopped.
 * - **One session, one id.** The deterministic id is used if the agent accepts one. Otherwise the
 *   `started` event contains the agent's own id and the journal keeps the pair.
 * - **A busy session is never prompted**, because the prompt would be lost. Worker messages wait
 *   until `turn ended`; an urgent one interrupts the turn first. `heard` identifies the messages
 *   that open the next turn.
 * - **Unreadable output is an event**, not an exception: `read` never throws and keeps at most one
 *   line in memory.
 * - **`preflight` detects a missing binary or login** before anything is dispatched and states the
 *   remedy. A login that is lost or refused during a turn is `login refused`, never an `error`.
 * - **Issue text never appears on a command line**: prompts go through `stdin` or a file.
 * - **The process keeps everything it starts in its own process group** and exits together with the
 *   group.
 */
export interface Agent {
  readonly kind: string;
  /**
   * Environment variables of the daemon that the agent may use to log in. No other secret is passed
   * on.
   */
  readonly variables: readonly string[];
  /**
   * Whether the running process accepts worker messages. If not, the next attempt starts with them.
   */
  readonly receivesMessages: boolean;
  /** Instructions for a missing or refused login. Absent if the agent needs no login. */
  readonly loginHelp?: string | undefined;

  /** Detects a missing binary or login, and also an unusable model. */
  preflight(signal: AbortSignal, use: ModelUse): Promise<PreflightResult>;
  launch(session: SessionId, start: LaunchOptions): LaunchSpec;
  resume(session: SessionId, native: string | undefined, start: LaunchOptions): LaunchSpec;
  read(line: string): readonly AgentEvent[];
  /** Reports whether the session can be continued and when the agent last wrote to it. */
  session(session: SessionId, native: string | undefined, workspace: string): Promise<SessionTrace>;
}

export type SessionTrace = 'missing' | { readonly at: number } | 'unavailable';

/** Model configuration for a mode. */
export interface ModelUse {
  readonly model?: string | undefined;
  /** API address if it differs from the agent's default, and the variable that holds its key. */
  readonly endpoint?: { readonly url: string; readonly keyVariable?: string | undefined } | undefined;
}

export interface LaunchOptions extends ModelUse {
  readonly prompt: string;
  readonly workspace: string;
}

/** A process to start: an argument array, never a shell string. */
export interface LaunchSpec {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
}

export type PreflightResult =
  | { readonly ready: true; readonly version: string; readonly login?: string }
  | { readonly ready: false; readonly problem: string; readonly next: string };

export type AgentEvent =
  | { readonly kind: 'started'; readonly native?: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool started'; readonly tool: string; readonly id: string }
  | { readonly kind: 'tool ended'; readonly id: string; readonly failed: boolean }
  | { readonly kind: 'usage'; readonly tokensIn: number; readonly tokensOut: number; readonly usd?: number }
  | { readonly kind: 'question'; readonly text: string }
  | { readonly kind: 'rate limited'; readonly resetAt?: number }
  /** The provider rejected the login; `message` is the provider's error text. */
  | { readonly kind: 'login refused'; readonly message: string }
  /** This worker message opens the turn that is starting. */
  | { readonly kind: 'heard'; readonly letter: string }
  | { readonly kind: 'turn ended' }
  /** `session`: the session to resume does not exist, or the session to launch already exists. */
  | { readonly kind: 'error'; readonly message: string; readonly session?: 'unknown' | 'taken' }
  | { readonly kind: 'unreadable'; readonly length: number };
