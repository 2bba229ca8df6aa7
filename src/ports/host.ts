/**
 * Port to a machine that runs workers: processes that outlive the daemon, and observations of them.
 */
import type { WorkerId } from '../core/model/ids.ts';

/**
 * Contract, verified by one conformance suite for every host:
 *
 * - **A worker outlives the daemon.** It has its own session and process group; its output and exit
 *   status go to files that this daemon or the next can read from any offset.
 * - **A process is a pid, its start time and a marker**, never a pid alone, a name or a pattern.
 *   Identity is checked right before each signal; if it does not match or cannot be checked, no
 *   signal is sent.
 * - **`start` is idempotent** by worker and attempt, across daemons and their crashes: an attempt
 *   runs once or not at all. A second call finds the first process, or starts it if the first call
 *   did not get that far. Calls for one attempt must have the same content.
 * - **Unavailable is not dead, and a lost exit status is not success.** Each observation may be
 *   `unavailable` and gives the reason.
 * - **A worker's environment is an allow-list** of the daemon's, plus the variables passed to it.
 *   Nothing else is inherited.
 * - **A signal goes to the whole group.** Processes that left the group still carry the marker:
 *   `adopt` finds them, and they are signalled by their own identity.
 * - **A worker message is written completely or not at all**, and stays until the attempt is
 *   forgotten.
 * - **Every failure is a coded `LegionError`.** A list that cannot be read is an error, never an
 *   empty list.
 */
export interface Host {
  readonly name: string;

  /**
   * Rejects with `host.folder_missing` or `host.start_failed` if the same attempt may be retried,
   * and with `host.start_unknown` if it may not. A program that cannot be executed is an exit with
   * a reason, not a rejection.
   */
  start(process: NewProcess): Promise<ProcessIdentity>;
  /**
   * Finds every process of this legion that still exists, by marker or record, to adopt workers
   * after a restart. An attempt whose start was interrupted is found by the next `start`. With
   * `worker`, lists only that worker, at a cost that does not grow with the number of past
   * attempts.
   */
  adopt(worker?: WorkerId): Promise<readonly FoundProcess[]>;
  observe(process: ProcessIdentity): Promise<ProcessObservation>;
  /**
   * Yields the worker's output from `offset` to the current end, in chunks of bounded size that
   * never split a character.
   */
  output(
    worker: WorkerId,
    attempt: number,
    offset: number,
    stream?: OutputStream,
  ): AsyncIterable<OutputChunk>;
  /**
   * Returns the offset from which `output` yields the last `bytes` or slightly fewer, without
   * reading anything before it. The offset is the start of a line, or the start of a character if
   * the last line alone is longer than `bytes`. Returns 0 if fewer bytes were written.
   */
  findLineNearEnd(worker: WorkerId, attempt: number, bytes: number, stream?: OutputStream): Promise<number>;
  /**
   * Calls `changed` when an attempt may have new output or has ended. Returns a function that stops
   * watching. Only a hint: it may repeat, but is never more than a second late.
   */
  watch(worker: WorkerId, attempt: number, changed: () => void): () => void;
  /**
   * Writes a message for a started attempt to the directory that its process knows. If the name
   * already exists, the message is the same one and was already delivered. Delivered does not mean
   * read: an attempt that has ended reads nothing.
   */
  deliver(worker: WorkerId, attempt: number, name: string, text: string): Promise<void>;
  /**
   * - `sent`: to the process and its group, or to the rest of the group.
   * - `gone`: no process of the group is left.
   * - `not_ours`: the pid now belongs to another process.
   * - `unavailable`: its owner could not be checked, or the signal is not permitted.
   */
  signal(
    process: ProcessIdentity,
    signal: 'TERM' | 'KILL',
  ): Promise<'sent' | 'gone' | 'not_ours' | 'unavailable'>;
  /**
   * Removes the files of a worker's attempts up to this one, except those that may still be
   * running. Only for attempts that are over for good: a forgotten attempt could be started again.
   */
  forget(worker: WorkerId, upTo: number): Promise<void>;
  /** Returns the free disk space and memory. A dispatch needs enough of both. */
  readCapacity(): Promise<
    { readonly freeDiskBytes: number; readonly freeMemoryBytes: number } | 'unavailable'
  >;
}

export interface NewProcess {
  readonly worker: WorkerId;
  readonly attempt: number;
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** Variables that are added to those of the allow-list and take precedence over them. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** Name of the variable that will hold the directory of the worker's messages. */
  readonly messagesVariable?: string;
}

export interface ProcessIdentity {
  readonly pid: number;
  /** Start time as text: the kernel's count and the boot id. Distinguishes a reused pid. */
  readonly startTime: string;
  readonly marker: string;
}

export interface FoundProcess extends ProcessIdentity {
  readonly worker: WorkerId;
  readonly attempt: number;
  /**
   * `agent`: the started process. `group`: another process of its group. `escaped`: a process that
   * left the group.
   */
  readonly role: 'agent' | 'group' | 'escaped';
}

export type ObservedValue<T> = T | { readonly unavailable: string };

export interface ProcessObservation {
  /** Also `false` if another process now has the pid. */
  readonly alive: ObservedValue<boolean>;
  /**
   * `none`: the process is still running, or its status is being written. `unavailable`: no runner
   * was left to record the status.
   */
  readonly exit: ObservedValue<ProcessExit | 'none'>;
  /**
   * CPU time used so far by the process, its group, escaped processes, and their exited children.
   */
  readonly groupCpuMs: ObservedValue<number>;
  /**
   * All other processes that are in the group or have the marker. `newestAt` is in milliseconds
   * since 1970.
   */
  readonly children: ObservedValue<{ readonly count: number; readonly newestAt: number | 'none' }>;
  /** Number of stored bytes of both streams. `overflowed`: output beyond the limit was dropped. */
  readonly output: ObservedValue<{ readonly bytes: number; readonly overflowed: boolean }>;
}

/**
 * Either a code or a signal. Exit code 128 + n is indistinguishable from signal n and is read as
 * the signal.
 */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly at: number;
  /** For 126 and 127: the reason the program could not be executed. */
  readonly reason?: string;
}

export type OutputStream = 'out' | 'err';

export interface OutputChunk {
  readonly text: string;
  /** Offset in bytes. Reading from here neither skips nor repeats anything. */
  readonly nextOffset: number;
}
