/** Port to a real agent inside a worker process: opens its session and runs its turns. */
import type { AgentLine } from '../../protocol/agent-line.ts';
import type { WorkerEnvironment } from '../../protocol/worker-environment.ts';
import type { AgentEquipment } from './equipment.ts';

/**
 * Contract:
 *
 * - **One turn at a time.** `runTurn` is called again only after the previous turn has ended;
 *   between turns the session is idle.
 * - **A turn always ends**: by itself, by `interrupt`, or with the agent's process. Every wait for
 *   a stream or an answer has a named limit.
 * - **Events are emitted immediately** as lines: `started` with the agent's own session id as soon
 *   as it is known, then text, tools, usage and questions. Texts may have any length; `emit`
 *   truncates them. The end of the turn is returned, not emitted.
 * - **The prompt never appears on a command line**, in a shell string or in the environment.
 * - **Everything it starts stays in this process's group** and keeps its environment, so that
 *   stopping the group stops it too.
 */
export interface AgentDialect {
  /** Whether the agent or the driver reminds a session that ended its turn without a report. */
  readonly reminders: ReminderSource;
  open(options: AgentSessionOptions, emit: EmitAgentLine): Promise<AgentConversation>;
}

export interface AgentConversation {
  /**
   * `interrupt` ends the turn early; the session can be continued afterwards. Rejects only with a
   * coded `LegionError`.
   */
  runTurn(prompt: string, interrupt: AbortSignal): Promise<TurnEnd>;
  /**
   * Stops everything that the session is still running. Called exactly once, regardless of what
   * happened before.
   */
  close(): Promise<void>;
}

export type TurnEnd =
  | { readonly how: 'ended' | 'interrupted' }
  /**
   * The provider refused because quota is used up. `resetAt` is in milliseconds since 1970 and set
   * only if the provider announced it.
   */
  | { readonly how: 'rate limited'; readonly resetAt?: number }
  /** The login is missing or the provider rejected it. */
  | { readonly how: 'login refused'; readonly message: string };

export type EmitAgentLine = (line: AgentLine) => void;

export interface AgentSessionOptions {
  /** Legion's session id. */
  readonly session: string;
  /** The agent's own session id, if an earlier turn reported it. */
  readonly native: string | undefined;
  readonly isResumed: boolean;
  readonly workspace: string;
  /** Existing directory for the agent's configuration files, used by this session only. */
  readonly folder: string;
  readonly model: string | undefined;
  /**
   * Model API address if it differs from the agent's default, and the variable that holds its key.
   */
  readonly endpoint: { readonly url: string; readonly keyVariable: string | undefined } | undefined;
  readonly program: string;
  /** Environment of the agent and everything it starts. */
  readonly env: Readonly<Record<string, string>>;
  readonly worker: WorkerEnvironment;
  readonly equipment: AgentEquipment;
}

/** Component that sends reminders. `agent` means that the agent's own Stop hook sends them. */
export type ReminderSource = 'agent' | 'driver';
