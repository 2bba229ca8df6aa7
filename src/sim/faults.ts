/**
 * Decides what goes wrong and when. Everything follows from the seed, and all faults can be
 * switched off to let the system recover.
 */
import { type FaultCode, LegionError } from '../core/model/fault.ts';
import type { SeededRandom } from './random.ts';

/** Outcome of one call to a port. */
export type CallOutcome =
  | 'fine'
  | 'refused'
  | 'disk full'
  | 'done but refused'
  | 'crash before'
  | 'crash after';

export interface FaultRates {
  /**
   * Probabilities that a write is refused, that it happens but is reported as refused, and that the
   * daemon crashes before or after it.
   */
  readonly refused: number;
  readonly doneButRefused: number;
  readonly crash: number;
  /** Probability that a read fails. */
  readonly unread: number;
  /** Probability that a page of the board fails to load. */
  readonly partial: number;
  /**
   * Probability that an observation of a process, of its session or of the free capacity is partly
   * or wholly unavailable.
   */
  readonly unseen: number;
  /** Probabilities that a wake-up is lost, repeated or delayed. */
  readonly lost: number;
  readonly doubled: number;
  readonly late: number;
  /** Probability that the agent of an attempt misbehaves. */
  readonly misbehaving: number;
  readonly ciFails: number;
  /**
   * Probability that a commit, on the base or for an issue, changes a file that others are working
   * on.
   */
  readonly overlapping: number;
  /** Probability that a worker with permission to push rebases needlessly. */
  readonly rebasing: number;
  /** Probability that a person who checks the inbox does nothing. */
  readonly ignoring: number;
  /**
   * Probability that a person who checks the inbox stops a worker and holds its issue, or halts the
   * legion.
   */
  readonly stopping: number;
}

const NO_FAULT_RATES: FaultRates = {
  refused: 0,
  doneButRefused: 0,
  crash: 0,
  unread: 0,
  partial: 0,
  unseen: 0,
  lost: 0,
  doubled: 0,
  late: 0,
  misbehaving: 0,
  ciFails: 0,
  ignoring: 0,
  overlapping: 0,
  rebasing: 0,
  stopping: 0,
};

/** Share of runs in which no person answers until all faults are switched off. */
const NEVER_ANSWERED_SHARE = 0.1;

/**
 * Draws the fault rates of one run: some runs have a single kind of fault, in others everything
 * fails.
 */
function drawFaultRates(random: SeededRandom): FaultRates {
  const drawRate = (max: number) => (random.chance(0.6) ? random.next() * max : 0);
  return {
    refused: drawRate(0.05),
    doneButRefused: drawRate(0.05),
    crash: drawRate(0.02),
    unread: drawRate(0.05),
    partial: drawRate(0.1),
    unseen: drawRate(0.3),
    lost: drawRate(1),
    doubled: drawRate(0.5),
    late: drawRate(0.5),
    misbehaving: drawRate(0.5),
    ciFails: drawRate(0.3),
    overlapping: drawRate(0.5),
    rebasing: drawRate(1),
    ignoring: random.chance(NEVER_ANSWERED_SHARE) ? 1 : drawRate(0.9),
    stopping: drawRate(0.2),
  };
}

/** Fault code for an outage of each port. */
const OUTAGE_CODES: Readonly<Record<PortName, FaultCode>> = {
  tracker: 'tracker.unavailable',
  forge: 'forge.unavailable',
  workspaces: 'workspace.unavailable',
  host: 'host.unavailable',
  journal: 'journal.busy',
};
export type PortName = 'tracker' | 'forge' | 'workspaces' | 'host' | 'journal';

/** Parts of a process observation that can be hidden. */
const PROCESS_SOURCES = ['alive', 'exit', 'cpu', 'children', 'output', 'all'] as const;
export type ProcessSource = (typeof PROCESS_SOURCES)[number];

/** Even on a full disk some writes succeed, because space is freed and taken again. */
const FULL_DISK_REFUSAL_RATE = 0.5;

export class FaultInjector {
  rates: FaultRates;
  /** Ports that are currently unreachable. */
  readonly unreachablePorts = new Set<PortName>();
  isDiskFull = false;
  /** Whether no process can be observed at the moment. */
  isBlind = false;
  readonly #random: SeededRandom;
  readonly #onFault: (kind: string) => void;

  /** Calls `onFault` for each fault that occurs. */
  constructor(random: SeededRandom, onFault: (kind: string) => void) {
    this.#random = random;
    this.#onFault = onFault;
    this.rates = drawFaultRates(random);
  }

  drawCallOutcome(port: PortName, kind: 'read' | 'write'): CallOutcome {
    const outcome = this.#drawOutcome(port, kind);
    if (outcome !== 'fine') this.#onFault(kind === 'read' ? `${port}: not read` : `${port}: ${outcome}`);
    return outcome;
  }

  /** Draws whether a fault of this kind occurs, and counts it under `name` if it does. */
  drawFault(kind: keyof FaultRates, name: string): boolean {
    const occurs = this.#random.chance(this.rates[kind]);
    if (occurs) this.#onFault(name);
    return occurs;
  }

  /** Draws which part of a process observation is hidden. */
  drawHiddenSource(): ProcessSource | undefined {
    if (this.isBlind) return 'all';
    if (!this.#random.chance(this.rates.unseen)) return undefined;
    const source = this.#random.pick(PROCESS_SOURCES);
    this.#onFault(`unseen: ${source}`);
    return source;
  }

  /** Draws whether another fact about the machine is hidden. */
  drawHidden(name: string): boolean {
    return this.isBlind || this.drawFault('unseen', `unseen: ${name}`);
  }

  heal(): void {
    this.isDiskFull = false;
    this.isBlind = false;
    this.rates = NO_FAULT_RATES;
    this.unreachablePorts.clear();
  }

  #drawOutcome(port: PortName, kind: 'read' | 'write'): CallOutcome {
    if (this.unreachablePorts.has(port)) return 'refused';
    if (kind === 'read') return this.#random.chance(this.rates.unread) ? 'refused' : 'fine';
    if (this.isDiskFull && port === 'journal' && this.#random.chance(FULL_DISK_REFUSAL_RATE))
      return 'disk full';
    const { refused, doneButRefused, crash } = this.rates;
    const drawn = this.#random.next();
    if (drawn < refused) return 'refused';
    // By contract, a journal that refuses an append has not written it.
    if (drawn < refused + doneButRefused) return port === 'journal' ? 'refused' : 'done but refused';
    if (drawn < refused + doneButRefused + crash) {
      return this.#random.chance(0.5) ? 'crash before' : 'crash after';
    }
    return 'fine';
  }
}

export function createPortError(port: PortName, method: string, outcome: CallOutcome): LegionError {
  if (outcome === 'disk full') return new LegionError('journal.full', `${port}.${method}: the disk is full`);
  return new LegionError(OUTAGE_CODES[port], `${port}.${method}: no answer`);
}

export const INCIDENT_KINDS = [
  ...(['outages', 'full disk', 'clock jumps', 'blindness', 'freezes', 'daemon kills'] as const),
  ...(['worker kills', 'moving base'] as const),
] as const satisfies [string, ...string[]];
type IncidentKind = (typeof INCIDENT_KINDS)[number];

export type FaultKind = IncidentKind | keyof FaultRates;

const FAULT_RATE_NAMES: readonly (keyof FaultRates)[] = [
  ...(['refused', 'doneButRefused', 'crash', 'unread', 'partial', 'unseen'] as const),
  ...(['lost', 'doubled', 'late', 'misbehaving', 'ciFails', 'ignoring'] as const),
  ...(['overlapping', 'rebasing', 'stopping'] as const),
];

/** Kinds of injected faults. Each can be left out of a run. */
export const FAULT_KINDS: readonly FaultKind[] = [...INCIDENT_KINDS, ...FAULT_RATE_NAMES];

/**
 * Disables kinds of faults. Their random numbers are still drawn, so that everything else happens
 * unchanged.
 */
export function omitFaults(faults: FaultInjector, omitted: ReadonlySet<FaultKind>): void {
  const rates = FAULT_RATE_NAMES.map((name) => [name, omitted.has(name) ? 0 : faults.rates[name]]);
  faults.rates = Object.fromEntries(rates) as unknown as FaultRates;
}
