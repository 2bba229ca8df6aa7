/** The port to a real agent inside a worker's process: how its session is opened and its turns are taken. */
import type { AgentLine } from '../protocol/agent-line.ts';
import type { WorkerEnvironment } from '../protocol/worker-environment.ts';
import type { Equipment } from './equipment.ts';
import type { Reminders } from './next-prompt.ts';

/**
 * Contract:
 *
 * - **One turn at a time.** `turn` is called again only after the one before it has ended; between two turns the session is idle.
 * - **A turn always ends**: by itself, by `interrupt`, or with the agent's process. Nothing waits for a stream to close, or for an
 *   answer, without a bound that is named.
 * - **What happens is said at once**, as lines: `started` with the agent's own id of the session as soon as that is known, then text,
 *   tools, usage, questions. Texts are material of any length; `emit` cuts them. The end of the turn is not said but returned.
 * - **The prompt is never on a command line**, in a shell string or in the environment.
 * - **Everything it starts stays in the process group** of this process and keeps its environment, so that whoever stops the group stops
 *   it too.
 */
export interface Dialect {
  /** Who reminds a session that ended its turn without a word. */
  readonly reminders: Reminders;
  open(order: SessionOrder, emit: Emit): Promise<Conversation>;
}

export interface Conversation {
  /** `interrupt` cuts the turn short; the session can be gone on with afterwards. Rejects with a coded `LegionError` only. */
  turn(prompt: string, interrupt: AbortSignal): Promise<TurnEnd>;
  /** Ends what is still running on its behalf; called once, whatever happened before. */
  close(): Promise<void>;
}

export type TurnEnd =
  | { readonly how: 'ended' | 'interrupted' }
  /** Refused for lack of quota; `resetAt` in ms since 1970, where the provider said when it is there again. */
  | { readonly how: 'rate limited'; readonly resetAt?: number }
  /** There is no login, or the provider did not accept it. */
  | { readonly how: 'login refused'; readonly message: string };

export type Emit = (line: AgentLine) => void;

export interface SessionOrder {
  /** Legion's id of the session. */
  readonly session: string;
  /** The agent's own, where an earlier turn has told it. */
  readonly native: string | undefined;
  readonly isResumed: boolean;
  readonly workspace: string;
  /** A folder of this session's own, for files the agent is configured with; it is there. */
  readonly folder: string;
  readonly model: string | undefined;
  /** Where the model's API is, if it is not where the agent expects it, and the variable with the key to it. */
  readonly endpoint: { readonly url: string; readonly keyVariable: string | undefined } | undefined;
  readonly program: string;
  /** Of the agent and of everything it starts. */
  readonly env: Readonly<Record<string, string>>;
  readonly worker: WorkerEnvironment;
  readonly equipment: Equipment;
}
