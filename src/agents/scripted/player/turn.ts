/** What a step has at hand while a turn is played. */
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { LegionError } from '../../../core/model/fault.ts';
import { sayingTo } from '../../../driving/say.ts';
import type { AgentLine } from '../../../protocol/agent-line.ts';
import type { VerbName } from '../../../protocol/verb.ts';
import type { Speaker, Spoken } from '../../../speech/speaker.ts';
import type { Facts } from '../facts.ts';
import type { Session } from './session.ts';

/** A restarted daemon is back within seconds, an upgrade within a minute; meanwhile a worker waits as an agent would. */
const AWAY_PATIENCE_MS = 60_000;
/** Characters of a title: the longest id and this much of it fit into the title of a pull request, which has 256. */
const TITLE_SHOWN = 90;
/** Between two tries; the speaker makes several of its own in each. */
const AWAY_PAUSE_MS = 250;

export interface Turn {
  readonly facts: Facts;
  readonly workspace: string;
  /** For the programs a step starts. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdout: Writable;
  /** Aborted when the process is asked to end, unless it has become deaf to that. */
  readonly signal: AbortSignal;
  emit(line: AgentLine): void;
  /** Says that a tool is in use while `work` goes on, and what it is about. */
  tool<T>(call: Call<T>, work: () => Promise<T>): Promise<T>;
  say<V extends VerbName>(verb: V, input: unknown): Promise<Spoken<V>>;
  /** The issue's title on one line, cut; asked for once. */
  title(): Promise<string>;
  deafen(): void;
  /** From here on nobody can go on with this session. */
  loseSession(): void;
}

export interface Call<T> {
  readonly tool: string;
  readonly detail?: string;
  /** What it gave back, as an agent would see it. */
  result?(value: T): string;
}

/** How a turn ends before its steps do; `abrupt` leaves no line that says so, `again` continues with the steps for that. */
export interface Ending {
  readonly code: number;
  readonly abrupt?: true;
  readonly again?: 'quality_gate' | undefined;
}

export interface TurnParts
  extends Pick<Turn, 'facts' | 'workspace' | 'env' | 'stdout' | 'signal' | 'deafen'> {
  readonly speaker: Speaker;
  readonly session: Session;
}

export function openTurn({ speaker, session, ...parts }: TurnParts): Turn {
  const { facts, stdout, signal } = parts;
  let tools = 0;
  let title: Promise<string> | undefined;

  const write = sayingTo(stdout);
  function emit(line: AgentLine): void {
    write(line);
    session.append(line);
  }
  async function tool<T>({ tool: name, detail, result }: Call<T>, work: () => Promise<T>): Promise<T> {
    tools += 1;
    const id = `${facts.attempt}-${tools}`;
    emit({ type: 'tool_started', tool: name, id, ...(detail === undefined ? {} : { detail }) });
    try {
      const value = await work();
      const given = result?.(value);
      emit({ type: 'tool_ended', id, failed: false, ...(given ? { result: given } : {}) });
      return value;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      emit({ type: 'tool_ended', id, failed: true, result: why });
      throw error;
    }
  }
  function say<V extends VerbName>(verb: V, input: unknown): Promise<Spoken<V>> {
    const result = (spoken: Spoken<V>) =>
      spoken.kept ? `kept in ${spoken.file}` : JSON.stringify(spoken.answer, undefined, 2);
    const spoken = () => patiently(() => speaker.say(verb, input), signal);
    return tool({ tool: `legion ${verb}`, result }, spoken);
  }
  async function readTitle(): Promise<string> {
    const spoken = await say('issue', {});
    const whole = spoken.kept ? '' : spoken.answer.issue.title;
    return whole.replace(/\s+/g, ' ').trim().slice(0, TITLE_SHOWN).trim() || facts.issue;
  }
  return {
    ...parts,
    emit,
    tool,
    say,
    loseSession: () => session.append({ type: 'lost' }),
    title: () => {
      title ??= readTitle();
      return title;
    },
  };
}

async function patiently<T>(say: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const until = performance.now() + AWAY_PATIENCE_MS;
  for (;;) {
    try {
      return await say();
    } catch (error) {
      const mayPass = error instanceof LegionError && error.retryable;
      if (!mayPass || signal.aborted || performance.now() > until) throw error;
      await sleep(AWAY_PAUSE_MS, undefined, { signal });
    }
  }
}
