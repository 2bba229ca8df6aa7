/** What the journal says has happened to each issue: folded from its events, and from nothing else. */
import type { Command, Purpose } from '../core/model/command.ts';
import type { EventBody } from '../core/model/event.ts';
import type { Status } from '../core/model/status.ts';
import type { Mode, Phase } from '../domain/mode.ts';

/** One attempt of a worker. */
export interface Life {
  readonly phase: Phase;
  readonly mode: Mode;
  readonly attempt: number;
  readonly purpose: Purpose;
  readonly beganAt: number;
  /** Undefined while it lasts. */
  readonly end?: 'done' | 'error' | 'asked' | 'crashed' | 'paused' | 'stopped';
  /** Whether its process is known to be gone. */
  readonly exited: boolean;
}

export interface IssueCourse {
  readonly status: Status;
  /** Every attempt of every phase, oldest first. */
  readonly lives: readonly Life[];
  readonly questions: readonly Question[];
  /** The intent that asked for an approval; undefined while none is due. */
  readonly approval: number | undefined;
  readonly merged: { readonly sha: string; readonly auto: boolean } | undefined;
  readonly doneAt: number | undefined;
}

interface Question {
  readonly number: number;
  readonly text: string;
  readonly answered: boolean;
}

export type Happened = EventBody & { readonly at: number };

const NOTHING_YET: IssueCourse = {
  status: 'Triage',
  lives: [],
  questions: [],
  approval: undefined,
  merged: undefined,
  doneAt: undefined,
};

export class Chronicle {
  readonly #issues = new Map<string, IssueCourse>();
  readonly #intents = new Map<number, Command>();

  of(issue: string): IssueCourse {
    return this.#issues.get(issue) ?? NOTHING_YET;
  }

  /** What an intent was to do. */
  command(intent: number): Command | undefined {
    return this.#intents.get(intent);
  }

  take(event: Happened): void {
    switch (event.type) {
      case 'intent.opened':
        this.#intents.set(event.intent, event.command);
        if (event.command.kind === 'spawn') this.#begin(event.command, event.at);
        break;
      case 'intent.settled':
        if (event.outcome === 'done') this.#settle(event.intent, event.at);
        break;
      case 'question.asked': {
        const asked = { number: event.question, text: event.text, answered: false };
        this.#change(event.issue, ({ questions }) => ({ questions: [...questions, asked] }));
        break;
      }
      case 'question.answered':
        this.#answer(event.issue, event.question);
        break;
      case 'merge.landed':
        this.#change(event.issue, () => ({ merged: { sha: event.mergedSha, auto: event.auto } }));
        break;
      case 'attempt.exited':
        this.#life(event, (life) => ({ ...life, exited: true }));
        break;
      default: {
        const end = endOf(event);
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
    this.#change(issue, ({ lives }) => {
      const phase = phaseOf(mode, purpose, lives);
      return { lives: [...lives, { phase, mode, attempt, purpose, beganAt, exited: false }] };
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

  /** What ended it first counts: a worker that has reported may still be stopped. */
  #end(which: WhichLife, end: NonNullable<Life['end']>): void {
    this.#life(which, (life) => (life.end === undefined ? { ...life, end } : life));
  }

  #life(which: WhichLife, change: (life: Life) => Life): void {
    this.#change(which.issue, ({ lives }) => ({
      lives: lives.map((life) =>
        life.mode === which.mode && life.attempt === which.attempt ? change(life) : life,
      ),
    }));
  }

  #change(issue: string, change: (before: IssueCourse) => Partial<IssueCourse>): void {
    const before = this.of(issue);
    this.#issues.set(issue, { ...before, ...change(before) });
  }
}

interface WhichLife {
  readonly issue: string;
  readonly mode: Mode;
  readonly attempt: number;
}

function endOf(event: Happened): { which: WhichLife; how: NonNullable<Life['end']> } | undefined {
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

/** As people name it: its phase, and the how-manyeth of that phase it is where it is not the first. */
export function nameOfLife(life: Life, { lives }: IssueCourse): string {
  const nth = lives.filter(({ phase }) => phase === life.phase).indexOf(life) + 1;
  return nth > 1 ? `${life.phase} #${nth}` : life.phase;
}

/** Retro is the implement worker; one that is started again after a crash or an answer goes on with what it did. */
function phaseOf(mode: Mode, purpose: Purpose, lives: readonly Life[]): Phase {
  if (mode !== 'implement') return mode;
  const goesOn = purpose === 'crash' || purpose === 'feedback' || purpose === 'operator';
  const before = lives.findLast((life) => life.mode === mode)?.phase;
  return purpose === 'retro' || (goesOn && before === 'retro') ? 'retro' : mode;
}
