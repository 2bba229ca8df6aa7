/** Context available to each step of a turn. */
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { LegionError } from '../../../core/model/fault.ts';
import type { AgentLine } from '../../../protocol/agent-line.ts';
import type { VerbName } from '../../../protocol/verb.ts';
import type { VerbResult, WorkerClient } from '../../../worker-client/worker-client.ts';
import { createAgentLineWriter } from '../../agent-lines.ts';
import type { StepInput, StepName, WorkerFacts } from '../scenario/scenario.ts';
import type { ScriptedSession } from './session.ts';

/**
 * A restarted daemon is back within seconds, an upgraded one within a minute. The worker waits that
 * long, like a real agent.
 */
const UNREACHABLE_TIMEOUT_MS = 60_000;
/**
 * Maximum number of characters in a title. A title and the longest id together fit into the 256
 * characters of a pull request title.
 */
const MAX_SHOWN_TITLE_CHARS = 90;
/**
 * Pause between two tries. Within each try, the worker client makes several attempts of its own.
 */
const RETRY_PAUSE_MS = 250;

export interface ScriptedTurn {
  readonly facts: WorkerFacts;
  readonly workspace: string;
  /** Environment for programs that a step starts. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdout: Writable;
  /** Aborted by a request to exit, unless the process ignores such requests. */
  readonly signal: AbortSignal;
  emit(line: AgentLine): void;
  /** Runs `work`, and reports a tool as in use, with its description, until `work` ends. */
  runTool<T>(call: ScriptedToolCall<T>, work: () => Promise<T>): Promise<T>;
  send<V extends VerbName>(verb: V, input: unknown): Promise<VerbResult<V>>;
  /** The issue's title on one line, truncated. Fetched once. */
  title(): Promise<string>;
  ignoreTermination(): void;
  /** Makes it impossible to continue the session later. */
  loseSession(): void;
}

export interface ScriptedToolCall<T> {
  readonly tool: string;
  readonly detail?: string;
  /** The result as an agent would see it. */
  result?(value: T): string;
}

/**
 * Ends a turn before its last step. If `abrupt` is set, no final line is printed. `again` is the
 * reason why the turn continues after all; the steps for that reason are then played.
 */
export interface ScriptedTurnEnding {
  readonly code: number;
  readonly abrupt?: true;
  readonly again?: 'quality_gate' | undefined;
}

export interface ScriptedTurnOptions
  extends Pick<ScriptedTurn, 'facts' | 'workspace' | 'env' | 'stdout' | 'signal' | 'ignoreTermination'> {
  readonly client: WorkerClient;
  readonly session: ScriptedSession;
}

export function openScriptedTurn({ client, session, ...parts }: ScriptedTurnOptions): ScriptedTurn {
  const { facts, stdout, signal } = parts;
  let tools = 0;
  let title: Promise<string> | undefined;

  const write = createAgentLineWriter(stdout);
  function emit(line: AgentLine): void {
    write(line);
    session.append(line);
  }
  async function runTool<T>(
    { tool: name, detail, result }: ScriptedToolCall<T>,
    work: () => Promise<T>,
  ): Promise<T> {
    tools += 1;
    const id = `${facts.attempt}-${tools}`;
    emit({ type: 'tool_started', tool: name, id, ...(detail === undefined ? {} : { detail }) });
    try {
      const value = await work();
      const output = result?.(value);
      emit({ type: 'tool_ended', id, failed: false, ...(output ? { result: output } : {}) });
      return value;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      emit({ type: 'tool_ended', id, failed: true, result: why });
      throw error;
    }
  }
  function send<V extends VerbName>(verb: V, input: unknown): Promise<VerbResult<V>> {
    const formatResult = (answered: VerbResult<V>) =>
      answered.kept ? `kept in ${answered.file}` : JSON.stringify(answered.answer, undefined, 2);
    const sendOnce = () => retryWhileUnreachable(() => client.send(verb, input), signal);
    return runTool({ tool: `legion ${verb}`, result: formatResult }, sendOnce);
  }
  async function readTitle(): Promise<string> {
    const answered = await send('issue', {});
    const whole = answered.kept ? '' : answered.answer.issue.title;
    return whole.replace(/\s+/g, ' ').trim().slice(0, MAX_SHOWN_TITLE_CHARS).trim() || facts.issue;
  }
  return {
    ...parts,
    emit,
    runTool,
    send,
    loseSession: () => session.append({ type: 'lost' }),
    title: () => {
      title ??= readTitle();
      return title;
    },
  };
}

async function retryWhileUnreachable<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const until = performance.now() + UNREACHABLE_TIMEOUT_MS;
  for (;;) {
    try {
      return await request();
    } catch (error) {
      const mayPass = error instanceof LegionError && error.retryable;
      if (!mayPass || signal.aborted || performance.now() > until) throw error;
      await sleep(RETRY_PAUSE_MS, undefined, { signal });
    }
  }
}

/**
 * Functions that play the steps, one per step name. Each resolves to an ending if the turn is over
 * after its step.
 */
export type StepPerformers<N extends StepName> = {
  readonly [Name in N]: (
    input: StepInput<Name>,
    turn: ScriptedTurn,
  ) => Promise<ScriptedTurnEnding | undefined> | Promise<void>;
};
