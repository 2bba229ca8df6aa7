/** The port to a coding agent: `claude-code`, `opencode`, `codex`, `scripted`. */
import type { SessionId } from '../core/model/ids.ts';

/**
 * Contract, held by one conformance suite for every agent:
 *
 * - **An agent says how, a host does.** `launch` and `resume` describe a process; they start none. What the process writes
 *   is handed to `read`, line by line, and comes back as events; so a restarted daemon reads on where it stopped.
 * - **One session, one id.** The deterministic id is used where the agent takes one; where it makes its own, the `started`
 *   event names it and the journal keeps the pair.
 * - **A busy session is never prompted**: a prompt to it gets lost. Letters wait until `turn ended`; one that cannot wait
 *   interrupts the turn first. `heard` says which of them the next turn begins with.
 * - **Unreadable output is an event**, not an exception: `read` never throws and keeps no more than one line in memory.
 * - **A missing binary or login is found by `preflight`**, before anything is dispatched, with what to do about it. One that is lost
 *   or refused during a turn is `login refused`, never an `error`.
 * - **No text of an issue is ever on a command line**: prompts go through `stdin` or a file.
 * - **Its process holds everything it starts in its own group**, and ends with the group.
 */
export interface Agent {
  readonly kind: string;
  /** Variables of the daemon's environment it may log in with; no other that holds a secret is handed on. */
  readonly variables: readonly string[];
  /** Whether its process hears letters while it lives; otherwise its next life begins with them. */
  readonly hearsLetters: boolean;
  /** What a person does where its login is missing or refused; absent where it needs none. */
  readonly loginHelp?: string | undefined;

  /** A model that cannot be used is found here too. */
  preflight(signal: AbortSignal, use: ModelUse): Promise<Preflight>;
  launch(session: SessionId, start: Start): Launch;
  resume(session: SessionId, native: string | undefined, start: Start): Launch;
  read(line: string): readonly AgentEvent[];
  /** Whether there is a session to continue, and when the agent last wrote to it. */
  session(session: SessionId, native: string | undefined, workspace: string): Promise<SessionTrace>;
}

export type SessionTrace = 'missing' | { readonly at: number } | 'unavailable';

/** As it is configured for a mode. */
export interface ModelUse {
  readonly model?: string | undefined;
  /** Where the model's API is, if not where the agent expects it, and the variable with the key to it. */
  readonly endpoint?: { readonly url: string; readonly keyVariable?: string | undefined } | undefined;
}

export interface Start extends ModelUse {
  readonly prompt: string;
  readonly workspace: string;
}

/** A process to start: an argument array, never a shell string. */
export interface Launch {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
}

export type Preflight =
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
  /** The provider did not accept its login; `message` has the provider's words. */
  | { readonly kind: 'login refused'; readonly message: string }
  /** The turn that begins now begins with this letter. */
  | { readonly kind: 'heard'; readonly letter: string }
  | { readonly kind: 'turn ended' }
  /** `session`: what was to be resumed is not there, or what was to be launched is. */
  | { readonly kind: 'error'; readonly message: string; readonly session?: 'unknown' | 'taken' }
  | { readonly kind: 'unreadable'; readonly length: number };
