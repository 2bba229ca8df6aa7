/** The state of everything a legion knows: a fold of its journal and nothing else. */

import type { Evidence, EvidenceKind } from '../../domain/evidence.ts';
import type { LabelChange } from '../../domain/label.ts';
import type { AttemptFacts } from '../../domain/lifecycle.ts';
import type { Mode, Phase } from '../../domain/mode.ts';
import type { Rounds } from '../../domain/rounds.ts';
import type { Life } from '../../health/backoff.ts';
import type { QuarterSpending } from '../../health/day-budget.ts';
import type { Spending } from '../../health/spending.ts';
import type { Breaker, Kills } from '../../swarm/fleet-state.ts';
import type { Action } from '../model/action.ts';
import type { Command, Purpose } from '../model/command.ts';
import type { IssueId, WorkerId } from '../model/ids.ts';
import type { SeenStatus } from '../model/status.ts';
import type { LandedMerge, MergeBegun } from './fleet-state.ts';

/**
 * The maps belong to the fold, which alone changes them. The records in them are never changed, only replaced: whoever holds
 * a record holds a moment.
 */
export interface Swarm {
  /** Sequence number of the last event taken in. */
  version: number;
  epoch: number;
  leader: string | undefined;
  readonly issues: Map<IssueId, IssueRecord>;
  readonly workers: Map<WorkerId, WorkerRecord>;
  /** Workers whose attempt has not ended, or whose process may still be there; follows from `workers`. */
  readonly present: Set<WorkerId>;
  /** The workers of each issue, by its id in lower case, as in the worker's own id; follows from `workers`. */
  readonly workersByIssue: Map<string, readonly WorkerId[]>;
  /** Workers with failed lives; follows from `workers`. */
  readonly failing: Set<WorkerId>;
  /** When the last attempt was dispatched. */
  lastDispatchAt: number | undefined;
  /** Effects begun and not known to have ended: re-checked against the world at start, never blindly repeated. */
  readonly intents: Map<number, OpenIntent>;
  lastIntent: number;
  readonly messages: Map<number, Message>;
  lastMessage: number;
  /** The board as it was last written down; issues that have left it stay, because their serials must not repeat. */
  readonly board: Map<IssueId, Sighting>;
  kills: Kills;
  breaker: Breaker;
  /** Agents and models whose provider refused a worker for lack of quota, as `agent model`: the latest refusal of each. */
  readonly quotas: Map<string, { readonly since: number; readonly until?: number }>;
  /** What all workers spent, by the quarter of an hour since 1970: a day of any time zone is a sum of them. */
  readonly spending: Map<number, QuarterSpending>;
  lastJump: number;
  /** Events that came twice, late, or from an old attempt or leader, and so moved nothing. */
  ignored: number;
}

export interface WorkerRecord {
  readonly issue: IssueId;
  readonly mode: Mode;
  /** The present attempt: the fencing token. It only ever grows, also across pruning. */
  readonly attempt: number;
  readonly session: string;
  readonly version: number;
  readonly host: string;
  /** Who works: absent in records of an older version, when it was what is configured. */
  readonly agent?: string;
  readonly model?: string;
  readonly scripted?: true; // in this attempt or an earlier one
  readonly native?: string;
  readonly process?: { readonly pid: number; readonly startTime: string; readonly marker?: string };
  readonly exit?: { readonly code: number | null; readonly signal: string | null; readonly at: number };
  readonly facts: AttemptFacts;
  /** Why the present attempt was found dead. */
  readonly crash?: readonly string[];
  /** Its session cannot be resumed: the next attempt begins another one, with the checkpoint in its prompt. */
  readonly sessionLost?: boolean;
  /** Sessions that could not be resumed since a person last reset the count. */
  readonly lostSessions: number;
  /** Serial of the last wait and the last report of the present attempt. */
  readonly lastWait: number;
  readonly lastReport: number;
  readonly report?: WorkerReport;
  /** What its last report lacked; it goes into the prompt of whoever continues, for a worker that has ended reads nothing. */
  readonly refusal?: string;
  /** It made its last report while nobody could answer, and was not told that it was refused. */
  readonly refusedUnheard?: boolean;
  /** What it was last called for, beside going on with what it was at; absent in records of an older version. */
  readonly purpose?: Purpose | undefined;
  readonly lastCheckpoint: number;
  /** Of the present purpose: gone once the phase is accepted or the worker is called for something else. */
  readonly checkpoint?: Checkpoint;
  /** Something of the present attempt's process survived the stop ladder. */
  readonly zombie?: boolean;
  /** Lives that ended in a crash or an error since a person last reset the count, the latest last. */
  readonly failedLives: readonly Life[];
  readonly crashGeneration: number;
  readonly spent: Spent;
  /** Budgets the present attempt was warned of, as `scope measure`. */
  readonly warnings: readonly string[];
  /** The present attempt is to come to an end by itself. */
  readonly askedToStop?: { readonly at: number; readonly why: string };
  /** Up to which report earlier attempts were heard in time: one that comes again is not a late one. */
  readonly heardBefore?: readonly { readonly attempt: number; readonly report: number }[];
  /** Reports of attempts that are over: kept for judging by evidence, never acted upon. */
  readonly lateReports: readonly LateReport[];
  /** Only what must outlive its issue is left of it; the next attempt is whole again. */
  readonly pruned?: true;
}

export interface WorkerReport {
  readonly outcome: 'done' | 'error';
  readonly summary: string;
  /** What is wrong with the work, where a tester or merger sent it back. */
  readonly sentBack?: string | undefined;
}

/** What a worker has used up; the time of its present attempt is in its facts. */
interface Spent {
  /** By attempts before the present one. */
  readonly earlier: Spending;
  /** By the present one, as far as its agent has told. */
  readonly now: Omit<Spending, 'wallMs'>;
  /** Time that seemed to pass in the present attempt because the machine slept or its clock was set. */
  readonly skewMs: number;
  /** By both when a person last let it go on: budgets count from there. */
  readonly granted: Spending;
  readonly progress: Progress;
}

/** Of the present attempt: what it had left behind when its turns were last counted. */
interface Progress {
  readonly idleTurns: number;
  /** Later changes of its workspace are progress. */
  readonly since: number;
  readonly checkpoint: number;
  readonly report: number;
  readonly wait: number;
}

interface Checkpoint {
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

/** The `last…` numbers tell an event that is new from one that was taken in before; they outlive pruning. */
export interface IssueRecord {
  readonly issue: IssueId;
  readonly lastDecision: number;
  readonly decision?: MadeDecision;
  /** The decision that a hold of the whole legion replaced; it stands again when the hold ends. */
  readonly decisionBeforeHold?: MadeDecision;
  readonly cause?: WaitCause;
  readonly evidence: Readonly<Partial<Record<EvidenceKind, Evidence>>>;
  readonly lastEvidence: number;
  /** Label changes the tracker has not been told yet, oldest first. */
  readonly owed: readonly (LabelChange & { readonly revision: number })[];
  readonly lastOwed: number;
  readonly rounds: Rounds;
  readonly generation: number;
  readonly questions: Readonly<Record<number, Question>>;
  readonly lastQuestion: number;
  readonly handoffs: Readonly<Partial<Record<Phase, unknown>>>;
  readonly lastHandoff: number;
  /** Sub-issues of the newest split; none where it was never split. */
  readonly children: readonly IssueId[];
  readonly lastSplit: number;
  readonly sentBack?: SentBack;
  readonly merged?: LandedMerge;
  readonly lastMerge: number;
  /** The forge was asked to merge, and what came of it is not written down yet. */
  readonly mergeBegun?: MergeBegun;
  readonly lastMergeBegun: number;
  readonly lastPrune: number;
  /** Triage put it into the Icebox, so it may leave by itself; an issue that a person put there stays. */
  readonly iceboxedByTriage?: boolean;
  /** How many intents of this issue are open; while any is, nothing new is begun for it. */
  readonly openIntents: number;
}

export interface Sighting {
  readonly sight: number;
  readonly title: string;
  readonly status: SeenStatus;
  readonly column: string;
  /** When it came into this status, as far as Legion was looking. */
  readonly since: number;
  readonly left?: true;
}

/** Work that was found unfit. It stays until an implementer has handed in what follows from it. */
export interface SentBack {
  readonly by: Mode;
  readonly why: string;
  /** An implementer has been sent for it. */
  readonly ordered: boolean;
}

export interface MadeDecision {
  readonly action: Action;
  readonly mode: Mode;
  readonly reason: string;
  readonly evidence: readonly string[];
  /** Since when this same action has been the answer: what a wait is measured from. */
  readonly since: number;
}

/** Why the issue came to wait: the last decision that did more than wait, or the person who held it. */
export type WaitCause = Pick<MadeDecision, 'reason' | 'mode' | 'evidence'> | PersonsHold;

interface PersonsHold {
  readonly by: string;
  readonly why: string;
  readonly at: number;
}

interface Question {
  readonly mode: Mode;
  readonly attempt: number;
  readonly text: string;
  readonly askedAt: number;
  readonly answer?: { readonly by: string; readonly text: string; readonly at: number };
}

interface OpenIntent {
  readonly command: Command;
  readonly openedAt: number;
}

interface Message {
  readonly to: string;
  readonly key: string;
  readonly body: string;
  readonly queuedAt: number;
  /** The turn of whoever it is for is to be cut short for it. */
  readonly interrupt?: boolean;
  /** Put aside where a person sees it. */
  readonly setAside?: string;
}

export function emptySwarm(): Swarm {
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

export function newIssueRecord(issue: IssueId): IssueRecord {
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
    handoffs: {},
    lastHandoff: 0,
    children: [],
    lastSplit: 0,
    lastMerge: 0,
    lastMergeBegun: 0,
    lastPrune: 0,
    openIntents: 0,
  };
}
