/** One turn of a thread: a process of Codex, what it says as lines, and how it ended. */
import { LegionError } from '../../core/model/fault.ts';
import type { Emit, TurnEnd } from '../../driving/dialect.ts';
import { type TurnProcess, takeTurn } from '../../driving/turn-process.ts';
import type { AgentLine } from '../../protocol/agent-line.ts';
import { type Heard, heardIn } from './heard.ts';
import { outcomeOf } from './outcome.ts';
import { quotaRefusal } from './quota.ts';
import { isWork, Steps } from './steps.ts';
import type { Tokens } from './thread-record.ts';

export interface Patience {
  /** ms from the start to the first line. */
  readonly start: number;
  /** ms of silence after it said that it was refused for lack of quota and tries again. */
  readonly refused: number;
}

/**
 * A start of minutes was seen on machines under load, and after 300 s the daemon replaces a worker that has said nothing: before that it says
 * what it waited for. A refusal that names a long time is waited out without a word; tries that follow each other are seconds apart, but
 * after a successful one a model may think for minutes before its first word.
 */
export const PATIENCE: Patience = { start: 240_000, refused: 300_000 };

export interface TurnEars {
  began(thread: string): void;
  /** From now on the prompt is in the thread, and the thread can be gone on with. */
  taken(): void;
  used(total: Tokens): void;
  readonly emit: Emit;
}

/** Rejects with `agent.not_ready`, `agent.stuck`, `agent.session_unknown` and `agent.failed`. */
export async function codexTurn(
  process: TurnProcess,
  ears: TurnEars,
  patience: Patience,
  interrupt: AbortSignal,
): Promise<TurnEnd> {
  const steps = new Steps();
  const interruption = new Interruption(interrupt, ears.taken);
  const silence = new AbortController();
  let isCompleted = false;
  let complaint: string | undefined;
  let timer = setTimeout(() => silence.abort('start'), patience.start);

  function hear(line: string | undefined): void {
    clearTimeout(timer);
    const heard = line === undefined ? undefined : heardIn(line);
    if (heard === undefined) return;
    take(heard);
    if (heard.type === 'error' && quotaRefusal(heard.message, Date.now()) !== undefined)
      timer = setTimeout(() => silence.abort('refused'), patience.refused);
  }

  function take(heard: Heard): void {
    switch (heard.type) {
      case 'thread.started':
        ears.began(heard.thread_id);
        break;
      case 'turn.started':
        interruption.begun();
        break;
      case 'item.started':
      case 'item.completed':
        if (isWork(heard.item)) interruption.underWay();
        sayAll(heard.type === 'item.started' ? steps.began(heard.item) : steps.ended(heard.item));
        break;
      case 'turn.completed':
        isCompleted = true;
        interruption.underWay();
        ears.used({ in: heard.usage.input_tokens, out: heard.usage.output_tokens });
        break;
      case 'turn.failed':
        complaint = heard.error.message;
        break;
      case 'error':
        complaint = heard.message;
    }
  }

  function sayAll(lines: readonly AgentLine[]): void {
    for (const line of lines) ears.emit(line);
  }

  try {
    const exit = await takeTurn(process, hear, AbortSignal.any([interruption.signal, silence.signal]));
    if (silence.signal.aborted && !interrupt.aborted && !isCompleted)
      return silentEnd(silence.signal.reason, patience);
    return outcomeOf({ isCompleted, complaint }, exit, Date.now());
  } finally {
    clearTimeout(timer);
    interruption.close();
    sayAll(steps.cutShort());
  }
}

function silentEnd(where: unknown, { start }: Patience): TurnEnd {
  if (where === 'refused') return { how: 'rate limited' };
  throw new LegionError('agent.failed', `codex has said nothing within ${start / 1_000} s of its start`);
}

/** ms from the beginning of the turn until its prompt is surely in the thread; 10 were enough wherever it was tried. */
const SETTLED_MS = 1_000;

/** A start that takes longer is cut short as it is, at the risk that the signal is lost on it and the next one leaves a command behind. */
const LONGEST_WAIT_MS = 30_000;

class Interruption {
  readonly #asked: AbortSignal;
  readonly #taken: () => void;
  readonly #cut = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  #isTaken = false;

  /** `taken` is called once, when the prompt is in the thread. */
  constructor(asked: AbortSignal, taken: () => void) {
    this.#asked = asked;
    this.#taken = taken;
    asked.addEventListener('abort', this.#wait, { once: true });
    if (asked.aborted) this.#wait();
  }

  get signal(): AbortSignal {
    return this.#cut.signal;
  }

  begun(): void {
    this.#timers.push(setTimeout(() => this.underWay(), SETTLED_MS));
  }

  /** The model has answered, or had the time to. */
  underWay(): void {
    if (this.#isTaken) return;
    this.#isTaken = true;
    this.#taken();
    if (this.#asked.aborted) this.#cut.abort();
  }

  close(): void {
    this.#asked.removeEventListener('abort', this.#wait);
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #wait = (): void => {
    if (this.#isTaken) this.#cut.abort();
    else this.#timers.push(setTimeout(() => this.#cut.abort(), LONGEST_WAIT_MS));
  };
}
