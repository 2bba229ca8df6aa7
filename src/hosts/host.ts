/** The port to a machine that runs workers: processes that outlive the daemon, and what can be known about them. */
import type { WorkerId } from '../domain/ids.ts';

/**
 * Contract, held by one conformance suite for every host:
 *
 * - **A worker outlives the daemon.** It has its own session and process group; its output and its exit status go to files
 *   that are read from any offset, by this daemon or the next.
 * - **A process is a pid, its start time and a marker**, never a pid alone, a name or a pattern. Identity is checked right
 *   before each signal; where it does not match, or cannot be checked, nothing is signalled.
 * - **`start` is idempotent** by worker and attempt: a second call finds the first process.
 * - **Unavailable is not dead.** Each observation may be `unavailable`, and says why.
 * - **A signal goes to the whole group**; `stop` never waits for streams to close.
 */
export interface Host {
  readonly name: string;

  start(process: NewProcess): Promise<ProcessIdentity>;
  /** Every process of this legion that is still there, found by marker; used to adopt workers after a restart. */
  adopt(): Promise<readonly FoundProcess[]>;
  observe(process: ProcessIdentity): Promise<ProcessObservation>;
  /** What the worker wrote after `offset`. */
  output(worker: WorkerId, attempt: number, offset: number): AsyncIterable<OutputChunk>;
  signal(
    process: ProcessIdentity,
    signal: 'TERM' | 'KILL',
  ): Promise<'sent' | 'gone' | 'not_ours' | 'unavailable'>;
  /** Room for one more worker: disk and memory are conditions of a dispatch. */
  room(): Promise<{ readonly freeDiskBytes: number; readonly freeMemoryBytes: number } | 'unavailable'>;
}

export interface NewProcess {
  readonly worker: WorkerId;
  readonly attempt: number;
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
}

export interface ProcessIdentity {
  readonly pid: number;
  /** The kernel's own start time, as text: it tells a reused pid apart. */
  readonly startTime: string;
  readonly marker: string;
}

export interface FoundProcess extends ProcessIdentity {
  readonly worker: WorkerId;
  readonly attempt: number;
}

export type Observed<T> = T | { readonly unavailable: string };

export interface ProcessObservation {
  readonly alive: Observed<boolean>;
  readonly exit: Observed<{ readonly code: number | null; readonly signal: string | null } | 'none'>;
  readonly groupCpuMs: Observed<number>;
  readonly children: Observed<number>;
}

export interface OutputChunk {
  readonly text: string;
  readonly nextOffset: number;
}
