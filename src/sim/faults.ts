/** What goes wrong and when: everything follows from the seed, and everything can be healed. */
import { type FaultCode, LegionError } from '../domain/fault.ts';
import type { Random } from './random.ts';

/** What becomes of one call to the outside. */
export type Fate = 'fine' | 'refused' | 'done but refused' | 'crash before' | 'crash after';

export interface Rates {
  /** Of a write: it is refused, it happens and is refused, the daemon dies before it, the daemon dies after it. */
  readonly refused: number;
  readonly doneButRefused: number;
  readonly crash: number;
  /** Of a read. */
  readonly unread: number;
  /** Of a wake-up: it is lost, it comes twice, it comes late. */
  readonly lost: number;
  readonly doubled: number;
  readonly late: number;
  /** Of an attempt: its agent does not do as it should. */
  readonly misbehaving: number;
  readonly ciFails: number;
  /** Of a look of a person into the inbox: nothing comes of it. */
  readonly ignoring: number;
}

const NO_FAULTS: Rates = {
  ...{ refused: 0, doneButRefused: 0, crash: 0, unread: 0, lost: 0, doubled: 0, late: 0 },
  ...{ misbehaving: 0, ciFails: 0, ignoring: 0 },
};

/** Each story has troubles of its own: some are calm but for one thing, in some everything fails. */
function ratesFor(random: Random): Rates {
  const some = (most: number) => (random.chance(0.6) ? random.next() * most : 0);
  return {
    ...{ refused: some(0.05), doneButRefused: some(0.05), crash: some(0.02), unread: some(0.05) },
    ...{ lost: some(1), doubled: some(0.5), late: some(0.5) },
    ...{ misbehaving: some(0.5), ciFails: some(0.3), ignoring: some(0.9) },
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

/** Something is always freed, and taken by somebody else. */
const FULL_DISK_REFUSES = 0.5;

export class Faults {
  rates: Rates;
  /** Ports that cannot be reached at present. */
  readonly away = new Set<PortName>();
  isDiskFull = false;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
    this.rates = ratesFor(random);
  }

  fateOf(port: PortName, kind: 'read' | 'write'): Fate {
    if (this.away.has(port)) return 'refused';
    if (this.isDiskFull && port === 'journal' && this.#random.chance(FULL_DISK_REFUSES)) return 'refused';
    const { refused, doneButRefused, crash, unread } = this.rates;
    if (kind === 'read') return this.#random.chance(unread) ? 'refused' : 'fine';
    const drawn = this.#random.next();
    if (drawn < refused) return 'refused';
    // A journal that refuses has not written: that is its contract.
    if (drawn < refused + doneButRefused) return port === 'journal' ? 'refused' : 'done but refused';
    if (drawn < refused + doneButRefused + crash) {
      return this.#random.chance(0.5) ? 'crash before' : 'crash after';
    }
    return 'fine';
  }

  heal(): void {
    this.isDiskFull = false;
    this.rates = NO_FAULTS;
    this.away.clear();
  }
}

export function refusal(port: PortName, method: string): LegionError {
  return new LegionError(OUTAGE[port], `${port}.${method}: nobody answers`);
}
