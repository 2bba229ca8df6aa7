/** The port to a machine that runs workers: processes that outlive the daemon, and what can be known about them. */
import type { WorkerId } from '../core/model/ids.ts';

/**
 * Contract, held by one conformance suite for every host:
 *
 * - **A worker outlives the daemon.** It has its own session and process group; its output and its exit status go to files
 *   that are read from any offset, by this daemon or the next.
 * - **A process is a pid, its start time and a marker**, never a pid alone, a name or a pattern. Identity is checked right
 *   before each signal; where it does not match, or cannot be checked, nothing is signalled.
 * - **`start` is idempotent** by worker and attempt, across daemons and across their deaths: an attempt runs once or not at
 *   all, and a second call finds the first process, or starts it if the first call did not get that far. Calls for one
 *   attempt are expected to carry the same content.
 * - **Unavailable is not dead, and a lost exit status is not success.** Each observation may be `unavailable`, and says why.
 * - **A worker's environment is an allow-list** of the daemon's, plus what it is given: nothing else is inherited.
 * - **A signal goes to the whole group.** What left the group still carries the marker: `adopt` finds it, and it is signalled
 *   by its own identity.
 * - **A letter is there whole or not at all**, and stays until the attempt is forgotten.
 * - **Every failure is a coded `LegionError`.** What cannot be listed is refused, never taken for an empty list.
 */
export interface Host {
  readonly name: string;

  /**
   * Rejects with `host.folder_missing` or `host.start_failed` when the same attempt may be tried again, and with
   * `host.start_unknown` when it may not. A program that cannot be executed is an exit with a reason, not a rejection.
   */
  start(process: NewProcess): Promise<ProcessIdentity>;
  /**
   * Every process of this legion that is still there, found by marker or record; used to adopt workers after a restart.
   * An attempt whose start was cut short shows itself to the next `start`. Of one worker only, where it is named: that costs
   * no more with every attempt there ever was.
   */
  adopt(worker?: WorkerId): Promise<readonly FoundProcess[]>;
  observe(process: ProcessIdentity): Promise<ProcessObservation>;
  /** What the worker wrote after `offset`, up to the present end, in chunks of bounded size; no character is cut in two. */
  output(
    worker: WorkerId,
    attempt: number,
    offset: number,
    stream?: OutputStream,
  ): AsyncIterable<OutputChunk>;
  /**
   * The offset from which `output` gives the last `bytes` or somewhat less, found without reading what is before: where a line
   * begins, or inside of one, before a whole character, where that one alone is longer. 0 where no more than that was written.
   */
  lineNearEnd(worker: WorkerId, attempt: number, bytes: number, stream?: OutputStream): Promise<number>;
  /**
   * Calls `changed` when there may be more to read of an attempt, its end included; returns the way to stop that. Only a
   * hint: it may come twice, but never more than a second late.
   */
  watch(worker: WorkerId, attempt: number, changed: () => void): () => void;
  /**
   * Leaves a letter for an attempt that was started, in the folder its process was told of; a name that is taken is the same
   * letter again. Nothing says that it is read: an attempt that has ended reads no more.
   */
  deliver(worker: WorkerId, attempt: number, name: string, text: string): Promise<void>;
  /**
   * - `sent`        to the process and its group, or to what is left of the group.
   * - `gone`        nothing of the group is left.
   * - `not_ours`    the pid belongs to another process now.
   * - `unavailable` whose it is could not be checked, or the signal is not permitted.
   */
  signal(
    process: ProcessIdentity,
    signal: 'TERM' | 'KILL',
  ): Promise<'sent' | 'gone' | 'not_ours' | 'unavailable'>;
  /**
   * Removes what is kept of a worker's attempts up to this one; what may still be running is kept. Only for attempts that are
   * over for good: one that is forgotten could be started again.
   */
  forget(worker: WorkerId, upTo: number): Promise<void>;
  /** Room for one more worker: disk and memory are conditions of a dispatch. */
  room(): Promise<{ readonly freeDiskBytes: number; readonly freeMemoryBytes: number } | 'unavailable'>;
}

export interface NewProcess {
  readonly worker: WorkerId;
  readonly attempt: number;
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** Added to the allow-list; wins where both name a variable. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** The variable that is to name the folder its letters come to. */
  readonly letters?: string;
}

export interface ProcessIdentity {
  readonly pid: number;
  /** When it started by the kernel's own count, and in which boot, as text: it tells a reused pid apart. */
  readonly startTime: string;
  readonly marker: string;
}

export interface FoundProcess extends ProcessIdentity {
  readonly worker: WorkerId;
  readonly attempt: number;
  /** The process that was started, another one of its group, or one that left the group. */
  readonly role: 'agent' | 'group' | 'escaped';
}

export type Observed<T> = T | { readonly unavailable: string };

export interface ProcessObservation {
  /** `false` also when the pid has passed to another process. */
  readonly alive: Observed<boolean>;
  /** `none`: not ended, or its end is being written down. `unavailable`: nobody was there to write it down. */
  readonly exit: Observed<ProcessExit | 'none'>;
  /** CPU time used so far by the process, its group, what escaped from it, and their children that have ended. */
  readonly groupCpuMs: Observed<number>;
  /** Every other process of the group or with the marker; `newestAt` in milliseconds since 1970. */
  readonly children: Observed<{ readonly count: number; readonly newestAt: number | 'none' }>;
  /** Bytes kept of both streams. `overflowed`: it wrote more than is kept, and what came after that is lost. */
  readonly output: Observed<{ readonly bytes: number; readonly overflowed: boolean }>;
}

/** Either a code or a signal; an exit code of 128 + n cannot be told from signal n and is read as the signal. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly at: number;
  /** For 126 and 127: why the program could not be executed. */
  readonly reason?: string;
}

export type OutputStream = 'out' | 'err';

export interface OutputChunk {
  readonly text: string;
  /** In bytes; reading on from here misses nothing and repeats nothing. */
  readonly nextOffset: number;
}
