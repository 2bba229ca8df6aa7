/**
 * Applies dispatches and intents. A dispatch gives a new attempt the slot of its (issue, mode),
 * which enforces "at most one live worker".
 */
import type { SpawnPurpose } from '../../model/command.ts';
import type { EventOf } from '../../model/event.ts';
import { toWorkerId } from '../../model/ids.ts';
import { isLive, toLifecycleState } from '../../model/lifecycle.ts';
import { createIssueRecord, type LegionState, type WorkerRecord } from '../state.ts';
import { setWorker } from '../workers.ts';
import { recordDispatchedMode } from './report.ts';
import { createSpendingRecord } from './spending.ts';

/**
 * Rejects the event while the previous attempt is live, and also if the event's attempt number is
 * not exactly the next one.
 */
export function evolveDispatch(state: LegionState, event: EventOf<'attempt.dispatched'>): boolean {
  const id = toWorkerId(event.issue, event.mode);
  const before = state.workers.get(id);
  if (event.attempt !== (before?.attempt ?? 0) + 1) return false;
  if (before !== undefined && isLive(toLifecycleState(before.facts))) return false;
  setWorker(state, id, createAttemptRecord(event, before));
  state.lastDispatchAt = event.at;
  recordDispatchedMode(state, event.issue, event.mode);
  return true;
}

/** Keeps the fields that belong to the worker, and drops those of the previous attempt. */
function createAttemptRecord(
  event: EventOf<'attempt.dispatched'>,
  before: WorkerRecord | undefined,
): WorkerRecord {
  const sameSession = before?.session === event.session;
  const purpose = resolvePurpose(event, before);
  return {
    issue: event.issue,
    mode: event.mode,
    attempt: event.attempt,
    session: event.session,
    version: event.version,
    host: event.host,
    ...(event.agent === undefined ? {} : { agent: event.agent }),
    ...(event.model === undefined ? {} : { model: event.model }),
    ...(event.agent === 'scripted' || before?.scripted === true ? { scripted: true } : {}),
    ...(sameSession && before.native !== undefined ? { native: before.native } : {}),
    facts: { dispatchedAt: event.at },
    lastWait: 0,
    lastReport: 0,
    lastCheckpoint: 0,
    ...(purpose === undefined ? {} : { purpose }),
    ...(before?.refusal === undefined ? {} : { refusal: before.refusal }),
    ...(before?.checkpoint === undefined || purpose !== before.purpose
      ? {}
      : { checkpoint: before.checkpoint }),
    lostSessions: before?.lostSessions ?? 0,
    failedLives: before?.failedLives ?? [],
    crashGeneration: before?.crashGeneration ?? 0,
    spent: createSpendingRecord(before, event.at),
    warnings: [],
    ...collectHeardReports(before),
    lateReports: before?.lateReports ?? [],
  };
}

/** Spawn purposes for which a worker keeps its previous purpose. */
const CONTINUING_PURPOSES: ReadonlySet<SpawnPurpose> = new Set<SpawnPurpose>([
  'start',
  'crash',
  'feedback',
  'operator',
]);

/**
 * Journals of older versions do not record the purpose; such a worker keeps its previous purpose.
 */
function resolvePurpose(
  { purpose }: EventOf<'attempt.dispatched'>,
  before: WorkerRecord | undefined,
): SpawnPurpose | undefined {
  if (before === undefined) return purpose;
  const beginsAgain = purpose === 'start' && before.facts.acceptedAt !== undefined;
  if (beginsAgain || (purpose !== undefined && !CONTINUING_PURPOSES.has(purpose))) return purpose;
  return before.purpose;
}

function collectHeardReports(before: WorkerRecord | undefined): Pick<WorkerRecord, 'heardBefore'> {
  const { heardBefore = [], attempt = 0, lastReport = 0 } = before ?? {};
  const reports = lastReport === 0 ? heardBefore : [...heardBefore, { attempt, report: lastReport }];
  return reports.length === 0 ? {} : { heardBefore: reports };
}

/** Applies intents: each side effect is journaled before it runs, and its outcome afterwards. */
export function evolveIntent(
  state: LegionState,
  event: EventOf<'intent.opened' | 'intent.settled'>,
): boolean {
  return event.type === 'intent.opened' ? openIntent(state, event) : settleIntent(state, event);
}

/** Numbers are assigned in order, so a number at or below the last one is a repeat. */
function openIntent(state: LegionState, event: EventOf<'intent.opened'>): boolean {
  if (event.intent !== state.lastIntent + 1) return false;
  state.lastIntent = event.intent;
  state.intents.set(event.intent, { command: event.command, openedAt: event.at });
  updateOpenIntents(state, event.command.issue, 1);
  return true;
}

function settleIntent(state: LegionState, event: EventOf<'intent.settled'>): boolean {
  const open = state.intents.get(event.intent);
  if (open === undefined) return false;
  state.intents.delete(event.intent);
  updateOpenIntents(state, open.command.issue, -1);
  if (open.command.kind === 'put_comment' && event.outcome !== 'failed')
    recordComment(state, open.command.issue, open.command);
  return true;
}

function recordComment(
  state: LegionState,
  issue: string,
  { key, revision }: { readonly key: string; readonly revision: string },
): void {
  const record = state.issues.get(issue) ?? createIssueRecord(issue);
  state.issues.set(issue, { ...record, comments: { ...record.comments, [key]: revision } });
}

function updateOpenIntents(state: LegionState, issue: string, change: number): void {
  const record = state.issues.get(issue) ?? createIssueRecord(issue);
  state.issues.set(issue, { ...record, openIntents: record.openIntents + change });
}
