/** Runs a repository’s own commands once on its base branch, and keeps the result until the commands change. */

import type { BaselineFacts, BaselineTrouble } from '../../core/state/preflight.ts';
import type { Clock } from '../../domain/clock.ts';

/** What is to be run, at which commit. */
export interface WantedBaseline {
  /** Of everything the approval covers: another one asks for another run. */
  readonly fingerprint: string;
  readonly sha: string;
  /** None where only the checkout itself is tried, because of its submodules. */
  readonly commands: readonly BaselineCommand[];
}

export type BaselineCommand = readonly [string, ...string[]];

export interface BaselineResult extends Omit<BaselineTrouble, 'verdict' | 'ignoredBy'> {
  readonly fingerprint: string;
  readonly verdict: 'passed' | BaselineTrouble['verdict'];
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Lets workers start although a result is bad; void once the commands change or a run passes. */
interface BaselineOverride {
  readonly fingerprint: string;
  readonly by: string;
  readonly at: number;
}

/** What outlives the daemon. A record that cannot be read is none: the commands can be run again. */
export interface BaselineRecord {
  readonly result?: BaselineResult | undefined;
  readonly override?: BaselineOverride | undefined;
}

export interface BaselineOptions {
  readonly clock: Clock;
  readonly record: BaselineRecord;
  readonly save: (record: BaselineRecord) => void;
  /** `began` hears of each command that starts. Rejects only where `signal` aborts. */
  readonly run: (
    wanted: WantedBaseline,
    began: (command: string) => void,
    signal: AbortSignal,
  ) => Promise<Omit<BaselineResult, 'at'>>;
  /** There is a result, or another command runs. */
  readonly changed: () => void;
}

/** What could not run for want of a program or a network is tried again this often. */
const RETRY_MS = 5 * 60_000;

interface BaselineRun {
  readonly wanted: WantedBaseline;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/**
 * States: **idle** (nothing to run), **running** (one run at a time, aborted when what is wanted changes) and **settled**
 * (a result for these commands is known). Only `look` starts a run.
 */
export class Baseline {
  readonly #options: BaselineOptions;
  readonly #openedAt: number;
  #record: BaselineRecord;
  #running: BaselineRun | undefined;
  #command = '';
  #isAskedFor = false;

  constructor(options: BaselineOptions) {
    this.#options = options;
    this.#record = options.record;
    this.#openedAt = options.clock.now();
  }

  /** Starts a run where one is due, and ends one that nobody wants any more. */
  look(wanted: WantedBaseline | undefined): void {
    const running = this.#running;
    if (running === undefined) {
      if (wanted !== undefined && this.#isDue(wanted)) this.#start(wanted);
    } else if (running.wanted.fingerprint !== wanted?.fingerprint) running.stop.abort();
  }

  /** What is known of these commands now; where that is nothing yet, a run is about to begin. */
  facts(wanted: WantedBaseline | undefined): BaselineFacts | undefined {
    if (wanted === undefined) return undefined;
    const isUnderWay = this.#running !== undefined || this.#isAskedFor;
    const known = isUnderWay ? undefined : baselineFacts(this.#record, wanted.fingerprint);
    const command = this.#running === undefined ? firstCommand(wanted) : this.#command;
    return known ?? { verdict: 'running', command };
  }

  /** At the next look, unless a run is under way. */
  rerun(): void {
    this.#isAskedFor = this.#running === undefined;
    this.#options.changed();
  }

  /** Holds for the present commands, whether their result is bad or yet to come; false where there is nothing to ignore. */
  ignore(by: string): boolean {
    const { result } = this.#record;
    const { fingerprint } = this.#running?.wanted ?? result ?? {};
    const isGreen = this.#running === undefined && result?.verdict === 'passed';
    if (fingerprint === undefined || isGreen) return false;
    this.#keep({ result, override: { fingerprint, by, at: this.#options.clock.now() } });
    this.#options.changed();
    return true;
  }

  async close(): Promise<void> {
    this.#running?.stop.abort();
    await this.#running?.ended;
  }

  #isDue({ fingerprint, sha }: WantedBaseline): boolean {
    const { result } = this.#record;
    if (this.#isAskedFor || result?.fingerprint !== fingerprint) return true;
    if (result.verdict === 'passed') return false;
    if (result.sha !== sha) return true;
    if (result.verdict === 'failed') return false;
    const age = this.#options.clock.now() - result.at;
    // A start is often the answer to what was missing. A clock that was set back says nothing about age.
    return result.at < this.#openedAt || age < 0 || age >= RETRY_MS;
  }

  #start(wanted: WantedBaseline): void {
    this.#isAskedFor = false;
    this.#command = firstCommand(wanted);
    const stop = new AbortController();
    const began = (command: string) => {
      this.#command = command;
    };
    const ended = this.#options.run(wanted, began, stop.signal).then(
      (result) => this.#settle(stop.signal, result),
      () => this.#settle(stop.signal, undefined),
    );
    this.#running = { wanted, stop, ended };
  }

  /** A run that was stopped says nothing about the code. */
  #settle({ aborted }: AbortSignal, result: Omit<BaselineResult, 'at'> | undefined): void {
    this.#running = undefined;
    if (!aborted && result !== undefined) {
      const { override } = this.#record;
      const isKept = result.verdict !== 'passed' && override?.fingerprint === result.fingerprint;
      this.#keep({
        result: { ...result, at: this.#options.clock.now() },
        override: isKept ? override : undefined,
      });
    }
    this.#options.changed();
  }

  #keep(record: BaselineRecord): void {
    this.#record = record;
    this.#options.save(record);
  }
}

function firstCommand({ commands }: WantedBaseline): string {
  return commands[0]?.join(' ') ?? 'git checkout';
}

/** What a record says about the commands of this fingerprint; undefined where it is about others. */
export function baselineFacts(
  { result, override }: BaselineRecord,
  fingerprint: string,
): BaselineFacts | undefined {
  if (result?.fingerprint !== fingerprint) return undefined;
  if (result.verdict === 'passed') return { verdict: 'passed' };
  const { verdict, command, sha, why, tail } = result;
  const ignoredBy = override?.fingerprint === fingerprint ? override.by : undefined;
  return { verdict, command, sha, why, tail, ignoredBy };
}
