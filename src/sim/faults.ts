/** What goes wrong and when: everything follows from the seed, and everything can be healed. */
import { type FaultCode, LegionError } from '../core/model/fault.ts';
import type { Random } from './random.ts';

/** What becomes of one call to the outside. */
export type Fate = 'fine' | 'refused' | 'disk full' | 'done but refused' | 'crash before' | 'crash after';

export interface Rates {
  /** Of a write: it is refused, it happens and is refused, the daemon dies before it or after it. */
  readonly refused: number;
  readonly doneButRefused: number;
  readonly crash: number;
  /** Of a read. */
  readonly unread: number;
  /** Of a page of the board: it does not come. */
  readonly partial: number;
  /** Of a look at a process, its session or the room there is: a part of it is unavailable, or all of it. */
  readonly unseen: number;
  /** Of a wake-up: it is lost, it comes twice, it comes late. */
  readonly lost: number;
  readonly doubled: number;
  readonly late: number;
  /** Of an attempt: its agent does not do as it should. */
  readonly misbehaving: number;
  readonly ciFails: number;
  /** Of a commit on the base or of an issue: it changes a file that others work on. */
  readonly overlapping: number;
  /** Of a worker that may push: it rebases although nothing asks for it. */
  readonly rebasing: number;
  /** Of a look of a person into the inbox: nothing comes of it. */
  readonly ignoring: number;
  /** Of a look of a person: they stop a worker and hold its issue, or halt the legion. */
  readonly stopping: number;
}

const NO_FAULTS: Rates = {
  ...{ refused: 0, doneButRefused: 0, crash: 0, unread: 0, partial: 0, unseen: 0 },
  ...{ lost: 0, doubled: 0, late: 0, misbehaving: 0, ciFails: 0, ignoring: 0 },
  ...{ overlapping: 0, rebasing: 0, stopping: 0 },
};

/** In so many stories nobody answers anything until all is healed. */
const NEVER_ANSWERED = 0.1;

/** Each story has troubles of its own: some are calm but for one thing, in some everything fails. */
function ratesFor(random: Random): Rates {
  const some = (most: number) => (random.chance(0.6) ? random.next() * most : 0);
  return {
    ...{ refused: some(0.05), doneButRefused: some(0.05), crash: some(0.02), unread: some(0.05) },
    ...{ partial: some(0.1), unseen: some(0.3) },
    ...{ lost: some(1), doubled: some(0.5), late: some(0.5) },
    ...{ misbehaving: some(0.5), ciFails: some(0.3) },
    ...{ overlapping: some(0.5), rebasing: some(1) },
    ignoring: random.chance(NEVER_ANSWERED) ? 1 : some(0.9),
    stopping: some(0.2),
  };
}

/** Ports by the code their outages have. */
const OUTAGE: Readonly<Record<PortName, FaultCode>> = {
  tracker: 'tracker.unavailable',
  forge: 'forge.unavailable',
  workspaces: 'workspace.unavailable',
  host: 'host.unavailable',
  journal: 'journal.busy',
};
export type PortName = 'tracker' | 'forge' | 'workspaces' | 'host' | 'journal';

/** What of a process cannot be seen. */
const SOURCES = ['alive', 'exit', 'cpu', 'children', 'output', 'all'] as const;
export type Source = (typeof SOURCES)[number];

/** Something is always freed, and taken by somebody else. */
const FULL_DISK_REFUSES = 0.5;

export class Faults {
  rates: Rates;
  /** Ports that cannot be reached at present. */
  readonly away = new Set<PortName>();
  isDiskFull = false;
  /** Whether nothing can be known of any process at present. */
  isBlind = false;
  readonly #random: Random;
  readonly #struck: (kind: string) => void;

  /** `struck` hears of each trouble that really comes. */
  constructor(random: Random, struck: (kind: string) => void) {
    this.#random = random;
    this.#struck = struck;
    this.rates = ratesFor(random);
  }

  fateOf(port: PortName, kind: 'read' | 'write'): Fate {
    const fate = this.#drawn(port, kind);
    if (fate !== 'fine') this.#struck(kind === 'read' ? `${port}: not read` : `${port}: ${fate}`);
    return fate;
  }

  /** Whether this one comes, of a kind that has a rate. */
  comes(kind: keyof Rates, name: string): boolean {
    const comes = this.#random.chance(this.rates[kind]);
    if (comes) this.#struck(name);
    return comes;
  }

  /** What cannot be seen at this look at a process. */
  hidden(): Source | undefined {
    if (this.isBlind) return 'all';
    if (!this.#random.chance(this.rates.unseen)) return undefined;
    const source = this.#random.pick(SOURCES);
    this.#struck(`unseen: ${source}`);
    return source;
  }

  /** Whether something else about the machine cannot be seen. */
  hides(name: string): boolean {
    return this.isBlind || this.comes('unseen', `unseen: ${name}`);
  }

  heal(): void {
    this.isDiskFull = false;
    this.isBlind = false;
    this.rates = NO_FAULTS;
    this.away.clear();
  }

  #drawn(port: PortName, kind: 'read' | 'write'): Fate {
    if (this.away.has(port)) return 'refused';
    if (kind === 'read') return this.#random.chance(this.rates.unread) ? 'refused' : 'fine';
    if (this.isDiskFull && port === 'journal' && this.#random.chance(FULL_DISK_REFUSES)) return 'disk full';
    const { refused, doneButRefused, crash } = this.rates;
    const drawn = this.#random.next();
    if (drawn < refused) return 'refused';
    // A journal that refuses has not written: that is its contract.
    if (drawn < refused + doneButRefused) return port === 'journal' ? 'refused' : 'done but refused';
    if (drawn < refused + doneButRefused + crash) {
      return this.#random.chance(0.5) ? 'crash before' : 'crash after';
    }
    return 'fine';
  }
}

export function refusal(port: PortName, method: string, fate: Fate): LegionError {
  if (fate === 'disk full') return new LegionError('journal.full', `${port}.${method}: the disk is full`);
  return new LegionError(OUTAGE[port], `${port}.${method}: nobody answers`);
}
