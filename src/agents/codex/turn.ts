/**
 * Runs one turn of a thread as a Codex process, converts its output to lines and derives its
 * outcome.
 */
import { LegionError } from '../../core/model/fault.ts';
import type { AgentLine } from '../../protocol/agent-line.ts';
import type { EmitAgentLine, TurnEnd } from '../runner/dialect.ts';
import { runTurnProcess, type TurnExit, type TurnProcess } from '../runner/group.ts';
import { type CodexLine, ItemTranscript, isWork, parseCodexLine, type TokenCounts } from './steps.ts';

export interface CodexTurnTimeouts {
  /** Maximum time from the start of the process to its first line, in milliseconds. */
  readonly start: number;
  /**
   * Maximum silence, in milliseconds, after Codex has reported that it is out of quota and will
   * retry.
   */
  readonly refused: number;
}

/**
 * `start`: on loaded machines, Codex has taken minutes to start. The daemon replaces a worker that
 * has printed nothing after 300 s, so the driver must report the cause before that.
 *
 * `refused`: Codex waits silently if a quota refusal comes with a long delay. Other retries are
 * seconds apart, but after a successful retry the model may think for minutes before its first
 * output.
 */
export const CODEX_TURN_TIMEOUTS: CodexTurnTimeouts = { start: 240_000, refused: 300_000 };

export interface CodexTurnListener {
  onThreadStarted(thread: string): void;
  /** Called when the thread contains the prompt and can be continued. */
  onPromptTaken(): void;
  onUsage(total: TokenCounts): void;
  readonly emit: EmitAgentLine;
}

/** Rejects with `agent.not_ready`, `agent.stuck`, `agent.session_unknown` or `agent.failed`. */
export async function runCodexTurn(
  process: TurnProcess,
  listener: CodexTurnListener,
  timeouts: CodexTurnTimeouts,
  interrupt: AbortSignal,
): Promise<TurnEnd> {
  const steps = new ItemTranscript();
  const interruption = new TurnInterruption(interrupt, listener.onPromptTaken);
  const silence = new AbortController();
  let isCompleted = false;
  let lastError: string | undefined;
  let timer = setTimeout(() => silence.abort('start'), timeouts.start);

  function onLine(line: string | undefined): void {
    clearTimeout(timer);
    const parsed = line === undefined ? undefined : parseCodexLine(line);
    if (parsed === undefined) return;
    processLine(parsed);
    if (parsed.type === 'error' && parseQuotaRefusal(parsed.message, Date.now()) !== undefined)
      timer = setTimeout(() => silence.abort('refused'), timeouts.refused);
  }

  function processLine(line: CodexLine): void {
    switch (line.type) {
      case 'thread.started':
        listener.onThreadStarted(line.thread_id);
        break;
      case 'turn.started':
        interruption.onTurnStarted();
        break;
      case 'item.started':
      case 'item.completed':
        if (isWork(line.item)) interruption.markUnderWay();
        emitAll(
          line.type === 'item.started' ? steps.recordStarted(line.item) : steps.recordCompleted(line.item),
        );
        break;
      case 'turn.completed':
        isCompleted = true;
        interruption.markUnderWay();
        listener.onUsage({ in: line.usage.input_tokens, out: line.usage.output_tokens });
        break;
      case 'turn.failed':
        lastError = line.error.message;
        break;
      case 'error':
        lastError = line.message;
    }
  }

  function emitAll(lines: readonly AgentLine[]): void {
    for (const line of lines) listener.emit(line);
  }

  try {
    const exit = await runTurnProcess(
      process,
      onLine,
      AbortSignal.any([interruption.signal, silence.signal]),
    );
    if (silence.signal.aborted && !interrupt.aborted && !isCompleted)
      return judgeSilence(silence.signal.reason, timeouts);
    return judgeOutcome({ isCompleted, complaint: lastError }, exit, Date.now());
  } finally {
    clearTimeout(timer);
    interruption.close();
    emitAll(steps.closeOpenTools());
  }
}

function judgeSilence(reason: unknown, { start }: CodexTurnTimeouts): TurnEnd {
  if (reason === 'refused') return { how: 'rate limited' };
  throw new LegionError('agent.failed', `codex printed nothing within ${start / 1_000} s of its start`);
}

/**
 * Milliseconds from the start of the turn until the thread certainly contains the prompt. In all
 * tests, 10 ms was enough.
 */
const SETTLED_MS = 1_000;

/**
 * Milliseconds to wait for the turn to start before interrupting it. A turn that starts more slowly
 * is interrupted anyway. The signal may then be lost, and the next signal may leave a command
 * running.
 */
const MAX_INTERRUPT_WAIT_MS = 30_000;

class TurnInterruption {
  readonly #requested: AbortSignal;
  readonly #onTaken: () => void;
  readonly #cut = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  #isTaken = false;

  /** Calls `onTaken` once, when the thread contains the prompt. */
  constructor(requested: AbortSignal, onTaken: () => void) {
    this.#requested = requested;
    this.#onTaken = onTaken;
    requested.addEventListener('abort', this.#wait, { once: true });
    if (requested.aborted) this.#wait();
  }

  get signal(): AbortSignal {
    return this.#cut.signal;
  }

  onTurnStarted(): void {
    this.#timers.push(setTimeout(() => this.markUnderWay(), SETTLED_MS));
  }

  /** Call when the model has responded or has had enough time to respond. */
  markUnderWay(): void {
    if (this.#isTaken) return;
    this.#isTaken = true;
    this.#onTaken();
    if (this.#requested.aborted) this.#cut.abort();
  }

  close(): void {
    this.#requested.removeEventListener('abort', this.#wait);
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #wait = (): void => {
    if (this.#isTaken) this.#cut.abort();
    else this.#timers.push(setTimeout(() => this.#cut.abort(), MAX_INTERRUPT_WAIT_MS));
  };
}

export interface CodexTurnOutput {
  readonly isCompleted: boolean;
  /** The last error on standard output. */
  readonly complaint: string | undefined;
}

/**
 * Derives how a turn ended from Codex's output and its exit. Throws `agent.session_unknown` or
 * `agent.failed`.
 */
export function judgeOutcome(
  { isCompleted, complaint }: CodexTurnOutput,
  exit: TurnExit,
  now: number,
): TurnEnd {
  if (isCompleted) return { how: 'ended' };
  if (exit.isInterrupted) return { how: 'interrupted' };
  const text = complaint ?? extractLastError(exit);
  const refusal = parseQuotaRefusal(text, now);
  if (refusal !== undefined) return { how: 'rate limited', ...refusal };
  if (LOGIN_REFUSED_PATTERN.test(text)) return { how: 'login refused', message: text };
  throw new LegionError(...judgeFailure(text));
}

/** The API rejected a key or token, or a login could not be renewed. */
const LOGIN_REFUSED_PATTERN =
  /unexpected status (?:401|403)\b|access token could not be refreshed|log ?out and sign in again|not logged in/i;
/** Printed if the thread does not exist: a thread killed right at its start was never saved. */
const NO_THREAD_PATTERN = /no rollout found for thread id/;
const NO_TOOLS_PATTERN = /required MCP servers failed to initialize: (.*)/;

function judgeFailure(text: string): ['agent.session_unknown' | 'agent.failed', string] {
  if (NO_THREAD_PATTERN.test(text)) return ['agent.session_unknown', text];
  const tools = NO_TOOLS_PATTERN.exec(text)?.[1];
  return ['agent.failed', tools === undefined ? text : `Legion's tools did not start: ${tools}`];
}

/** Standard error also contains the log. The fatal line is the one that starts with `Error:`. */
function extractLastError({ code, signal, errors }: TurnExit): string {
  const lines = errors.split('\n').filter((line) => line.trim() !== '');
  const line = lines.findLast((line) => line.startsWith('Error:')) ?? lines.at(-1);
  return line ?? `codex ended ${signal === null ? `with code ${code}` : `by ${signal}`} without output`;
}

/**
 * Matches the errors for a subscription limit, an account without credit, too many requests, and an
 * overloaded model.
 */
const QUOTA_REFUSAL_PATTERN = /usage limit|quota exceeded|rate limit|429 too many requests|is at capacity/i;

/**
 * Detects whether Codex is out of quota, and when quota will be available again. `now` is in
 * milliseconds since 1970. Returns undefined if the text is about something else.
 */
export function parseQuotaRefusal(text: string, now: number): { readonly resetAt?: number } | undefined {
  if (!QUOTA_REFUSAL_PATTERN.test(text)) return undefined;
  const resetAt = parseResetTime(text, now) ?? parseResetDelay(text, now);
  return resetAt === undefined ? {} : { resetAt };
}

const MINUTE_MS = 60_000;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Matches `try again at 8:03 AM`. If the reset is on another day, the time includes the date: `Nov
 * 19th, 2026 8:03 AM`.
 */
const RESET_TIME_PATTERN =
  /try again at (?:([a-z]{3})[a-z]* (\d{1,2})(?:st|nd|rd|th)?,? (\d{4}),? )?(\d{1,2}):(\d{2}) ?([ap])\.?m/i;

/** Uses this process's time zone, which is also the agent's because they share an environment. */
function parseResetTime(text: string, now: number): number | undefined {
  const match = RESET_TIME_PATTERN.exec(text);
  if (match === null) return undefined;
  const [, month, day, year, hourOfTwelve, minute, half] = match;
  const hour = (Number(hourOfTwelve) % 12) + (half?.toLowerCase() === 'p' ? 12 : 0);
  if (Number(hourOfTwelve) > 12 || Number(minute) > 59) return undefined;
  // The text has no seconds, so use the end of that minute to avoid retrying too early.
  if (month !== undefined) {
    const index = MONTHS.indexOf(month.toLowerCase());
    if (index < 0) return undefined;
    return new Date(Number(year), index, Number(day), hour, Number(minute) + 1).getTime();
  }
  const today = new Date(now);
  const computeTime = (days: number) =>
    new Date(
      today.getFullYear(),
      today.getMonth(),
      today.getDate() + days,
      hour,
      Number(minute) + 1,
    ).getTime();
  return computeTime(0) > now ? computeTime(0) : computeTime(1);
}

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 24 * 60 * MINUTE_MS,
};

/** Matches `try again in 1.2s`, `6m0s` and `2 days 3 hours 5 minutes`. */
const RESET_DELAY_PATTERN =
  /try again in ((?:\d+(?:\.\d+)? ?(?:ms|days?|d|hours?|h|minutes?|min|m|seconds?|secs?|s)\b,? ?|\d+(?:\.\d+)?[dhm](?=\d))+)/i;
const DELAY_PART_PATTERN = /(\d+(?:\.\d+)?) ?(ms|[dhms])/gi;

function parseResetDelay(text: string, now: number): number | undefined {
  const delay = RESET_DELAY_PATTERN.exec(text)?.[1];
  if (delay === undefined) return undefined;
  const parts = [...delay.matchAll(DELAY_PART_PATTERN)].map(
    ([, amount, unit = '']) => Number(amount) * (UNITS_MS[unit.toLowerCase()] ?? 0),
  );
  return now + Math.ceil(parts.reduce((sum, part) => sum + part, 0));
}
