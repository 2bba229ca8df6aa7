/** Defines the state of a legion, which is purely a fold of its journal. */

import type { QuarterSpending, Spending } from '../health/budget.ts';
import type { Action } from '../model/action.ts';
import type { Command, SpawnPurpose } from '../model/command.ts';
import type { Evidence, EvidenceKind } from '../model/evidence.ts';
import type { IssueId, WorkerId } from '../model/ids.ts';
import type { ApprovalSubject, EntryPoint, RejectionSubject } from '../model/issue.ts';
import type { LabelChange } from '../model/label.ts';
import type { AttemptFacts, FailedAttempt } from '../model/lifecycle.ts';
import type { Mode, Phase, RoundCounts } from '../model/mode.ts';
import type { ObservedStatus } from '../model/status.ts';
import type { BegunMerge, BreakerRecord, KillStatistics, LandedMerge } from './fleet-state.ts';

/**
 * Only the fold changes the maps. Records are replaced, never changed, so they are safe to keep.
 */
export interface LegionState {
  /** Sequence number of the last applied event. */
  version: number;
  epoch: number;
  leader: string | undefined;
  readonly issues: Map<IssueId, IssueRecord>;
  readonly workers: Map<WorkerId, WorkerRecord>;
  /**
   * Workers whose attempt has not ended or whose process may still be running. Derived from
   * `workers`.
   */
  readonly present: Set<WorkerId>;
  /** Workers of each issue, by issue id in lower case. Derived from `workers`. */
  readonly workersByIssue: Map<string, readonly WorkerId[]>;
  /** Workers with failed attempts. Derived from `workers`. */
  readonly failing: Set<WorkerId>;
  /** Time of the last dispatch. */
  lastDispatchAt: number | undefined;
  /**
   * Side effects without a recorded outcome. At startup each is checked against reality, never
   * repeated blindly.
   */
  readonly intents: Map<number, OpenIntent>;
  lastIntent: number;
  readonly messages: Map<number, MessageRecord>;
  lastMessage: number;
  /** Board as last recorded. Issues that left it stay, because their serial numbers must not repeat. */
  readonly board: Map<IssueId, BoardRecord>;
  kills: KillStatistics;
  breaker: BreakerRecord;
  /** Latest quota refusal for each agent and model, keyed as `agent model`. */
  readonly quotas: Map<string, { readonly since: number; readonly until?: number }>;
  /**
   * Spending of all workers by quarter-hour since 1970. Quarter-hours can be summed to a day in any
   * time zone.
   */
  readonly spending: Map<number, QuarterSpending>;
  lastJump: number;
  /** Events without effect: repeated, late, or from an old attempt or leader. */
  ignored: number;
}

export interface WorkerRecord {
  readonly issue: IssueId;
  readonly mode: Mode;
  /** Current attempt number, which is the fencing token. It only grows, even across pruning. */
  readonly attempt: number;
  readonly session: string;
  readonly version: number;
  readonly host: string;
  /** Absent in records of older versions, where the configured agent was used. */
  readonly agent?: string;
  readonly model?: string;
  readonly scripted?: true; // True if this attempt or an earlier one was scripted.
  readonly native?: string;
  readonly process?: { readonly pid: number; readonly startTime: string; readonly marker?: string };
  readonly exit?: { readonly code: number | null; readonly signal: string | null; readonly at: number };
  readonly facts: AttemptFacts;
  /** Evidence that the current attempt crashed. */
  readonly crash?: readonly string[];
  /**
   * True if the session cannot be resumed. The next attempt then starts a new one from the
   * checkpoint.
   */
  readonly sessionLost?: boolean;
  /** Number of sessions that could not be resumed since a person last reset the count. */
  readonly lostSessions: number;
  /** Serial numbers of the last wait and the last report of the current attempt. */
  readonly lastWait: number;
  readonly lastReport: number;
  readonly report?: WorkerReport;
  /** Evidence missing from the worker's last report. The next attempt gets it in its prompt. */
  readonly refusal?: string;
  /**
   * True if the worker does not know that its last report was refused, because the daemon was
   * unreachable.
   */
  readonly refusedUnheard?: boolean;
  /** Last purpose other than continuing. Absent in records of older versions. */
  readonly purpose?: SpawnPurpose | undefined;
  readonly lastCheckpoint: number;
  /**
   * Checkpoint for the current purpose. Removed when the phase is accepted or the purpose changes.
   */
  readonly checkpoint?: CheckpointRecord;
  /** Set if the current attempt was asked to stop and said that it is still working. */
  readonly stopExtensions?: readonly { readonly at: number; readonly why: string }[];
  /** True if a process of the current attempt survived the stop ladder. */
  readonly zombie?: boolean;
  /** Attempts that ended in a crash or error since a person last reset the count, latest last. */
  readonly failedLives: readonly FailedAttempt[];
  readonly crashGeneration: number;
  readonly spent: SpendingRecord;
  /** Budgets the current attempt was warned about, as `scope measure`. */
  readonly warnings: readonly string[];
  /** Set when the current attempt was asked to finish by itself. */
  readonly askedToStop?: { readonly at: number; readonly why: string };
  /**
   * Last report received in time from each earlier attempt. A repeat of such a report does not
   * count as late.
   */
  readonly heardBefore?: readonly { readonly attempt: number; readonly report: number }[];
  /** Reports of attempts that are over. Kept as evidence, never acted upon. */
  readonly lateReports: readonly LateReport[];
  /**
   * Set if the record was reduced to what must outlive the issue. The next attempt gets a full
   * record again.
   */
  readonly pruned?: true;
}

export interface WorkerReport {
  readonly outcome: 'done' | 'error';
  readonly summary: string;
  /** Reason why a tester or merger sent the work back. */
  readonly sentBack?: string | undefined;
}

/** Spending of a worker. The time of its current attempt is in its facts. */
interface SpendingRecord {
  /** Spending of the attempts before the current one. */
  readonly earlier: Spending;
  /** Spending of the current attempt, as far as its agent has reported it. */
  readonly now: Omit<Spending, 'wallMs'>;
  /**
   * Time that only seems to have passed in the current attempt, because the machine slept or its
   * clock was set.
   */
  readonly skewMs: number;
  /** Total spending when a person last let the worker continue. Budgets are measured from there. */
  readonly granted: Spending;
  readonly progress: TurnProgress;
}

/** Progress of the current attempt when its turns were last counted. */
interface TurnProgress {
  readonly idleTurns: number;
  /** Workspace changes after this time are progress. */
  readonly since: number;
  readonly checkpoint: number;
  readonly report: number;
  readonly wait: number;
}

interface CheckpointRecord {
  readonly stage: string;
  readonly completed: readonly string[];
  readonly remaining: readonly string[];
  readonly lastAction: string;
  readonly at: number;
}

interface LateReport {
  readonly attempt: number;
  readonly report: number;
  readonly outcome: 'done' | 'error';
  readonly at: number;
}

/** The `last…` numbers distinguish new events from those already applied. They outlive pruning. */
export interface IssueRecord {
  readonly issue: IssueId;
  readonly lastDecision: number;
  readonly decision?: MadeDecision;
  /** Decision that a legion-wide hold replaced. It applies again when the hold ends. */
  readonly decisionBeforeHold?: MadeDecision;
  readonly cause?: WaitCause;
  readonly evidence: Readonly<Partial<Record<EvidenceKind, Evidence>>>;
  readonly lastEvidence: number;
  /** Label changes not yet written to the tracker, oldest first. */
  readonly owed: readonly (LabelChange & { readonly revision: number })[];
  readonly lastOwed: number;
  readonly rounds: RoundCounts;
  readonly generation: number;
  readonly questions: Readonly<Record<number, QuestionRecord>>;
  readonly lastQuestion: number;
  /** Last written revision of each comment that Legion edits, by key. */
  readonly comments: Readonly<Record<string, string>>;
  readonly handoffs: Readonly<Partial<Record<Phase, unknown>>>;
  readonly lastHandoff: number;
  /** Revision of the newest handoff of each phase. */
  readonly handoffRevisions: Readonly<Partial<Record<Phase, number>>>;
  /** Revision of the architect's newest handoff, which is the specification. 0 if there is none. */
  readonly specification: number;
  /** Sub-issues of the newest split. Empty if the issue was never split. */
  readonly children: readonly IssueId[];
  readonly lastSplit: number;
  readonly sentBack?: SentBack;
  /** The last approval. It counts only while it covers the current work. */
  readonly approval?: GivenApproval;
  readonly lastApproval: number;
  readonly rejection?: Rejection;
  readonly lastRejection: number;
  readonly merged?: LandedMerge;
  readonly lastMerge: number;
  /** Set if the forge was asked to merge and the result is not recorded yet. */
  readonly mergeBegun?: BegunMerge;
  readonly lastMergeBegun: number;
  readonly lastPrune: number;
  /**
   * True if triage put the issue into the Icebox, so it may leave by itself. If a person put it
   * there, it stays.
   */
  readonly iceboxedByTriage?: boolean;
  /** Number of open intents of this issue. Nothing new starts for it while any is open. */
  readonly openIntents: number;
}

export interface BoardRecord {
  readonly sight: number;
  readonly title: string;
  readonly status: ObservedStatus;
  readonly column: string;
  /** Time at which Legion first observed the issue in this status. */
  readonly since: number;
  readonly left?: true;
}

/** Work that was rejected. Kept until an implementer has handed in a fix. */
export interface SentBack {
  readonly by: Mode;
  readonly why: string;
  /** True if an implementer has been dispatched for it. */
  readonly ordered: boolean;
}

interface GivenApproval {
  readonly of: ApprovalSubject;
  readonly by: string;
  readonly through: EntryPoint;
  readonly at: number;
  readonly sha?: string | undefined;
  readonly specification?: number | undefined;
}

/** A result that a person rejected. Kept until its worker has handed in a new one. */
export interface Rejection {
  readonly of: RejectionSubject;
  /** Oldest first. Several people may reject before the worker continues. */
  readonly reasons: readonly RejectionReason[];
  /** True if the worker has been dispatched to act on it. */
  readonly ordered: boolean;
}

interface RejectionReason {
  readonly by: string;
  readonly through: EntryPoint;
  readonly why: string;
  readonly at: number;
}

export interface MadeDecision {
  readonly action: Action;
  readonly mode: Mode;
  readonly reason: string;
  readonly evidence: readonly string[];
  /** Time at which the current action was first decided. Waits are measured from this time. */
  readonly since: number;
}

/**
 * Cause of a wait: the last decision that was not itself a wait, or the person who held the issue.
 */
export type WaitCause = Pick<MadeDecision, 'reason' | 'mode' | 'evidence'> | PersonHold;

interface PersonHold {
  readonly by: string;
  readonly why: string;
  readonly at: number;
}

export interface QuestionRecord {
  readonly mode: Mode;
  readonly attempt: number;
  readonly text: string;
  readonly askedAt: number;
  readonly answer?: {
    readonly by: string;
    readonly text: string;
    readonly at: number;
    readonly comment?: string | undefined;
  };
}

interface OpenIntent {
  readonly command: Command;
  readonly openedAt: number;
}

interface MessageRecord {
  readonly to: string;
  readonly key: string;
  readonly body: string;
  readonly queuedAt: number;
  /** Interrupts the recipient's turn. */
  readonly interrupt?: boolean;
  /** Reason why it was set aside for a person. */
  readonly setAside?: string;
}

export function createLegionState(): LegionState {
  return {
    version: 0,
    epoch: 0,
    leader: undefined,
    issues: new Map(),
    workers: new Map(),
    workersByIssue: new Map(),
    present: new Set(),
    failing: new Set(),
    lastDispatchAt: undefined,
    intents: new Map(),
    lastIntent: 0,
    messages: new Map(),
    lastMessage: 0,
    board: new Map(),
    kills: { last: 0, right: 0, wrong: 0, unjudged: [] },
    breaker: { serial: 0 },
    quotas: new Map(),
    spending: new Map(),
    lastJump: 0,
    ignored: 0,
  };
}

export function createIssueRecord(issue: IssueId): IssueRecord {
  return {
    issue,
    lastDecision: 0,
    evidence: {},
    lastEvidence: 0,
    owed: [],
    lastOwed: 0,
    rounds: {},
    generation: 0,
    questions: {},
    lastQuestion: 0,
    comments: {},
    handoffs: {},
    lastHandoff: 0,
    handoffRevisions: {},
    specification: 0,
    children: [],
    lastSplit: 0,
    lastApproval: 0,
    lastRejection: 0,
    lastMerge: 0,
    lastMergeBegun: 0,
    lastPrune: 0,
    openIntents: 0,
  };
}
