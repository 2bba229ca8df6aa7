/**
 * Runs a repository’s own commands on its base branch. A passing result is valid until the commands
 * change. A failed run is repeated when the base moves.
 */
import type { Clock } from '../../core/model/clock.ts';
import type { BaselineFacts, BaselineProblem } from '../../core/state/preflight.ts';

/** Commands to run for a baseline, and the commit to run them at. */
export interface WantedBaseline {
  /** Fingerprint of everything the approval covers. The baseline runs again if it changes. */
  readonly fingerprint: string;
  readonly sha: string;
  /** Empty if only the checkout is tested, because the repository has submodules. */
  readonly commands: readonly BaselineCommand[];
}

export type BaselineCommand = readonly [string, ...string[]];

export interface BaselineResult extends Omit<BaselineProblem, 'verdict' | 'ignoredBy'> {
  readonly fingerprint: string;
  readonly verdict: 'passed' | BaselineProblem['verdict'];
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * An operator's decision to let workers start despite a bad result. Ends when the commands change
 * or a run passes.
 */
interface BaselineOverride {
  readonly fingerprint: string;
  readonly by: string;
  readonly at: number;
}

/**
 * State that outlives the daemon. An unreadable record is treated as missing, because the commands
 * can run again.
 */
export interface BaselineRecord {
  readonly result?: BaselineResult | undefined;
  readonly override?: BaselineOverride | undefined;
}

export interface BaselineOptions {
  readonly clock: Clock;
  readonly record: BaselineRecord;
  readonly save: (record: BaselineRecord) => void;
  /** Calls `onBegin` for each command that starts. Rejects only if `signal` aborts. */
  readonly run: (
    wanted: WantedBaseline,
    onBegin: (command: string) => void,
    signal: AbortSignal,
  ) => Promise<Omit<BaselineResult, 'at'>>;
  /** Called when a run ends, when a rerun is requested and when the result is ignored. */
  readonly onChange: () => void;
}

/**
 * Retry interval if a command could not run, for example because a program or the network was
 * missing.
 */
const RETRY_MS = 5 * 60_000;

interface BaselineRun {
  readonly wanted: WantedBaseline;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/**
 * States: **idle** (nothing to run), **running** (one run at a time, aborted when other commands
 * are wanted) and **settled** (a result for these commands is known). Only `reconcile` starts a
 * run.
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

  /** Starts a run if one is due, and aborts one that is no longer wanted. */
  reconcile(wanted: WantedBaseline | undefined): void {
    const running = this.#running;
    if (running === undefined) {
      if (wanted !== undefined && this.#isDue(wanted)) this.#start(wanted);
    } else if (running.wanted.fingerprint !== wanted?.fingerprint) running.stop.abort();
  }

  /**
   * Returns the known result for these commands. Undefined if no result is known; a run is then
   * about to start.
   */
  facts(wanted: WantedBaseline | undefined): BaselineFacts | undefined {
    if (wanted === undefined) return undefined;
    const isUnderWay = this.#running !== undefined || this.#isAskedFor;
    const known = isUnderWay ? undefined : toBaselineFacts(this.#record, wanted.fingerprint);
    const command = this.#running === undefined ? describeFirstCommand(wanted) : this.#command;
    return known ?? { verdict: 'running', command };
  }

  /** Makes the next pass run the commands again, unless a run is in progress. */
  rerun(): void {
    this.#isAskedFor = this.#running === undefined;
    this.#options.onChange();
  }

  /**
   * Lets workers start despite the current commands' result, whether it is bad or still pending.
   * Returns false if there is nothing to ignore.
   */
  ignore(by: string): boolean {
    const { result } = this.#record;
    const { fingerprint } = this.#running?.wanted ?? result ?? {};
    const isGreen = this.#running === undefined && result?.verdict === 'passed';
    if (fingerprint === undefined || isGreen) return false;
    this.#keep({ result, override: { fingerprint, by, at: this.#options.clock.now() } });
    this.#options.onChange();
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
    // A restart often provides what was missing, so a result from before the restart is retried. If
    // the clock was set back, the result's age is unknown, and it is retried too.
    return result.at < this.#openedAt || age < 0 || age >= RETRY_MS;
  }

  #start(wanted: WantedBaseline): void {
    this.#isAskedFor = false;
    this.#command = describeFirstCommand(wanted);
    const stop = new AbortController();
    const onBegin = (command: string) => {
      this.#command = command;
    };
    const ended = this.#options.run(wanted, onBegin, stop.signal).then(
      (result) => this.#settle(stop.signal, result),
      () => this.#settle(stop.signal, undefined),
    );
    this.#running = { wanted, stop, ended };
  }

  /** Ignores the result of an aborted run, which is not evidence about the code. */
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
    this.#options.onChange();
  }

  #keep(record: BaselineRecord): void {
    this.#record = record;
    this.#options.save(record);
  }
}

function describeFirstCommand({ commands }: WantedBaseline): string {
  return commands[0]?.join(' ') ?? 'git checkout';
}

/**
 * Returns the record's facts about the commands with this fingerprint, or undefined if the record
 * is about other commands.
 */
export function toBaselineFacts(
  { result, override }: BaselineRecord,
  fingerprint: string,
): BaselineFacts | undefined {
  if (result?.fingerprint !== fingerprint) return undefined;
  if (result.verdict === 'passed') return { verdict: 'passed' };
  const { verdict, command, sha, why, tail } = result;
  const ignoredBy = override?.fingerprint === fingerprint ? override.by : undefined;
  return { verdict, command, sha, why, tail, ignoredBy };
}
