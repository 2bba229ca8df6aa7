/** Folds the journal's events into the history of each issue. */
import type { Command, SpawnPurpose } from '../core/model/command.ts';
import type { EventBody } from '../core/model/event.ts';
import type { Mode, Phase } from '../core/model/mode.ts';
import type { Status } from '../core/model/status.ts';

/** One attempt of a worker. */
export interface DemoAttempt {
  readonly phase: Phase;
  readonly mode: Mode;
  readonly attempt: number;
  readonly purpose: SpawnPurpose;
  readonly beganAt: number;
  /** How the attempt ended. Undefined while it is running. */
  readonly end?: 'done' | 'error' | 'asked' | 'crashed' | 'paused' | 'stopped';
  /** Whether the attempt's process is known to have exited. */
  readonly exited: boolean;
}

export interface IssueHistory {
  readonly status: Status;
  /** Every attempt of every phase, oldest first. */
  readonly attempts: readonly DemoAttempt[];
  readonly questions: readonly DemoQuestion[];
  /** Sequence number of the intent that requested an approval. Undefined if no approval is due. */
  readonly approval: number | undefined;
  readonly merged: { readonly sha: string; readonly auto: boolean } | undefined;
  readonly doneAt: number | undefined;
}

interface DemoQuestion {
  readonly number: number;
  readonly text: string;
  readonly answered: boolean;
}

export type TimedEvent = EventBody & { readonly at: number };

const EMPTY_HISTORY: IssueHistory = {
  status: 'Triage',
  attempts: [],
  questions: [],
  approval: undefined,
  merged: undefined,
  doneAt: undefined,
};

export class DemoHistory {
  readonly #issues = new Map<string, IssueHistory>();
  readonly #intents = new Map<number, Command>();

  getIssue(issue: string): IssueHistory {
    return this.#issues.get(issue) ?? EMPTY_HISTORY;
  }

  /** Returns the command of an intent. */
  findCommand(intent: number): Command | undefined {
    return this.#intents.get(intent);
  }

  applyEvent(event: TimedEvent): void {
    switch (event.type) {
      case 'intent.opened':
        this.#intents.set(event.intent, event.command);
        if (event.command.kind === 'spawn') this.#begin(event.command, event.at);
        break;
      case 'intent.settled':
        if (event.outcome === 'done') this.#settle(event.intent, event.at);
        break;
      case 'question.asked': {
        const question = { number: event.question, text: event.text, answered: false };
        this.#change(event.issue, ({ questions }) => ({ questions: [...questions, question] }));
        break;
      }
      case 'question.answered':
        this.#answer(event.issue, event.question);
        break;
      case 'merge.landed':
        this.#change(event.issue, () => ({ merged: { sha: event.mergedSha, auto: event.auto } }));
        break;
      case 'attempt.exited':
        this.#updateAttempt(event, (attempt) => ({ ...attempt, exited: true }));
        break;
      default: {
        const end = toAttemptEnd(event);
        if (end !== undefined) this.#end(end.which, end.how);
      }
    }
  }

  #answer(issue: string, question: number): void {
    this.#change(issue, ({ questions }) => ({
      questions: questions.map((each) => (each.number === question ? { ...each, answered: true } : each)),
    }));
  }

  #begin({ issue, mode, attempt, purpose }: Extract<Command, { kind: 'spawn' }>, beganAt: number): void {
    this.#change(issue, ({ attempts }) => {
      const phase = resolveAttemptPhase(mode, purpose, attempts);
      return { attempts: [...attempts, { phase, mode, attempt, purpose, beganAt, exited: false }] };
    });
  }

  #settle(intent: number, at: number): void {
    const command = this.#intents.get(intent);
    if (command?.kind !== 'write_issue') return;
    const { issue, moveTo, add, remove } = command;
    this.#change(issue, (before) => ({
      status: moveTo ?? before.status,
      ...(moveTo === 'Done' ? { doneAt: at } : {}),
      ...(add.includes('needs-approval') ? { approval: intent } : {}),
      ...(remove.includes('needs-approval') ? { approval: undefined } : {}),
    }));
  }

  /** Keeps the first end, because a worker that has already reported may be stopped afterwards. */
  #end(key: DemoAttemptKey, end: NonNullable<DemoAttempt['end']>): void {
    this.#updateAttempt(key, (attempt) => (attempt.end === undefined ? { ...attempt, end } : attempt));
  }

  #updateAttempt(key: DemoAttemptKey, change: (attempt: DemoAttempt) => DemoAttempt): void {
    this.#change(key.issue, ({ attempts }) => ({
      attempts: attempts.map((attempt) =>
        attempt.mode === key.mode && attempt.attempt === key.attempt ? change(attempt) : attempt,
      ),
    }));
  }

  #change(issue: string, change: (before: IssueHistory) => Partial<IssueHistory>): void {
    const before = this.getIssue(issue);
    this.#issues.set(issue, { ...before, ...change(before) });
  }
}

interface DemoAttemptKey {
  readonly issue: string;
  readonly mode: Mode;
  readonly attempt: number;
}

function toAttemptEnd(
  event: TimedEvent,
): { which: DemoAttemptKey; how: NonNullable<DemoAttempt['end']> } | undefined {
  switch (event.type) {
    case 'attempt.report_accepted':
      return { which: event, how: 'done' };
    case 'attempt.reported':
      return event.outcome === 'error' ? { which: event, how: 'error' } : undefined;
    case 'attempt.waiting':
      return event.for === 'user' ? { which: event, how: 'asked' } : undefined;
    case 'attempt.crashed':
      return { which: event, how: 'crashed' };
    case 'attempt.paused':
      return { which: event, how: 'paused' };
    case 'attempt.stopped':
      return { which: event, how: 'stopped' };
    default:
      return undefined;
  }
}

/** Names an attempt by its phase. From the second attempt of a phase on, adds a number. */
export function formatAttemptName(attempt: DemoAttempt, { attempts }: IssueHistory): string {
  const nth = attempts.filter(({ phase }) => phase === attempt.phase).indexOf(attempt) + 1;
  return nth > 1 ? `${attempt.phase} #${nth}` : attempt.phase;
}

/**
 * Returns the phase that an attempt works on. The implement worker also runs the retro phase. A
 * worker that restarts after a crash or an answer continues its phase.
 */
function resolveAttemptPhase(mode: Mode, purpose: SpawnPurpose, attempts: readonly DemoAttempt[]): Phase {
  if (mode !== 'implement') return mode;
  const isContinued = purpose === 'crash' || purpose === 'feedback' || purpose === 'operator';
  const before = attempts.findLast((attempt) => attempt.mode === mode)?.phase;
  return purpose === 'retro' || (isContinued && before === 'retro') ? 'retro' : mode;
}
