/** Everything that bears on the health of one attempt. Each source may be unavailable, and unavailable is never dead. */
import type { WorkerId } from '../core/model/ids.ts';
import type { LifecycleState } from '../domain/lifecycle.ts';
import type { Phase } from '../domain/mode.ts';

/** The source could not be read, which says something about the source and nothing about the worker. */
type Unavailable = 'unavailable';

/** All times are milliseconds since 1970, by the clock that also gives `now`; `now` is taken after the evidence. */
export interface HealthEvidence {
  readonly worker: WorkerId;
  readonly attempt: number;
  readonly phase: Phase;
  readonly state: LifecycleState;
  readonly stateSince: number;
  /** When the attempt was dispatched; its process may come a little later. */
  readonly spawnedAt: number;
  /** When the daemon started, or woke from a gap in its own watch: see `watch.ts`. */
  readonly watchingSince: number;

  readonly process: ProcessEvidence;
  readonly agent: AgentEvidence;
  readonly tool: 'none' | { readonly since: number } | Unavailable;
  /** CPU time used by the whole process group so far. */
  readonly cpu: { readonly usedMs: number } | Unavailable;
  readonly children: { readonly count: number; readonly newestAt: number | 'none' } | Unavailable;
  readonly sessionFile: 'missing' | { readonly at: number } | Unavailable;
  readonly report: ReportEvidence;
  readonly checkpoint: 'none' | { readonly at: number } | Unavailable;
  readonly rateLimit: 'none' | RateLimit | Unavailable;
  /** The agent's last answer: `empty` is a dead session, `none` one that never started. */
  readonly output: 'text' | 'tool' | 'empty' | 'none' | Unavailable;
  readonly workspace: 'yes' | 'no' | Unavailable;

  readonly suspicion: Suspicion;
  /** Status questions put to this attempt since it last made progress. */
  readonly questionsAsked: number;
  /** When a person was last told about this attempt. */
  readonly personToldAt: number | 'never';
}

/**
 * - `alive`      a process has our pid; only with a matching start time is it ours, for pids are used again.
 * - `gone`       ours was there and is not any more; `since` is when that was first seen.
 * - `never_seen` no pid was ever recorded and the host has none either: the spawn is under way, or was cut short.
 */
export type ProcessEvidence =
  | { readonly state: 'alive'; readonly identity: Identity }
  | { readonly state: 'gone'; readonly since: number; readonly exit: Exit | 'unknown' }
  | { readonly state: 'never_seen' }
  | Unavailable;

/** Whether pid and start time are those we recorded; `unchecked` when the start time could not be read. */
type Identity = 'matches' | 'differs' | 'unchecked';

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** The newest event of the agent's own stream; `none` means the stream was read and holds nothing yet. */
type AgentEvidence =
  | {
      readonly kind: 'text' | 'tool_started' | 'tool_ended' | 'turn_ended' | 'usage' | 'error';
      readonly at: number;
    }
  | { readonly kind: 'none' }
  | Unavailable;

/** A report that was neither accepted nor refused yet: received, a done flag, or in the outbox; `since` it was written. */
type ReportEvidence =
  | 'none'
  | { readonly where: 'received' | 'done_flag' | 'outbox'; readonly since: number }
  | Unavailable;

export interface RateLimit {
  readonly seenAt: number;
  readonly resetAt: number | 'unknown';
}

/** Kept in memory only: a restarted daemon suspects nobody. */
export type Suspicion =
  | { readonly flagged: false; readonly clearedAt?: number }
  | {
      readonly flagged: true;
      readonly since: number;
      readonly phase: Phase;
      /** What `cpu` said when the flag was raised. */
      readonly cpuMs: number | Unavailable;
      readonly probe: Probe;
    };

/**
 * A question to an idle session (`ask`) or a look at a busy one (`examine`).
 * `failed` means the probe itself could not run, which proves nothing about the worker.
 */
export type Probe =
  | { readonly state: 'not_sent' }
  | { readonly state: 'sent'; readonly at: number; readonly how: 'ask' | 'examine' }
  | { readonly state: 'answered'; readonly at: number }
  | { readonly state: 'failed'; readonly at: number; readonly how: 'ask' | 'examine' };
