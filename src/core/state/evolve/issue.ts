/**
 * Applies issue events that do not concern workers: decisions, questions, handoffs, evidence, owed
 * labels, splits, rounds and recorded board changes.
 */

import type { EventOf } from '../../model/event.ts';
import type { Evidence } from '../../model/evidence.ts';
import { type IssueId, toWorkerId } from '../../model/ids.ts';
import { MODES } from '../../model/mode.ts';
import { findDecisionWithoutHold, isSameWait, LEGION_HOLDS } from '../issues.ts';
import { pruneIssueRecord, pruneWorkerRecord } from '../retention.ts';
import { createIssueRecord, type IssueRecord, type LegionState } from '../state.ts';
import { setWorker } from '../workers.ts';
import { recordRejectionMove } from './rejection.ts';

type IssueEvent = EventOf<
  | 'decision.made'
  | 'question.asked'
  | 'question.answered'
  | 'handoff.written'
  | 'evidence.recorded'
  | 'labels.owed'
  | 'labels.written'
  | 'split.made'
  | 'issue.pruned'
>;

export function evolveIssue(state: LegionState, event: IssueEvent): boolean {
  if (event.type === 'issue.pruned') return applyPrune(state, event);
  if (event.type === 'question.asked' && !isFromPresentAttempt(state, event)) return false;
  const record = state.issues.get(event.issue) ?? createIssueRecord(event.issue);
  const next = applyIssueEvent(record, event);
  if (next === undefined) return false;
  state.issues.set(event.issue, next);
  return true;
}

function applyIssueEvent(
  record: IssueRecord,
  event: Exclude<IssueEvent, { type: 'issue.pruned' }>,
): IssueRecord | undefined {
  switch (event.type) {
    case 'decision.made':
      return event.decision === record.lastDecision + 1 ? applyDecision(record, event) : undefined;
    case 'question.asked':
      return event.question === record.lastQuestion + 1 ? applyQuestion(record, event) : undefined;
    case 'question.answered':
      return applyAnswer(record, event);
    case 'handoff.written':
      return event.revision === record.lastHandoff + 1
        ? {
            ...record,
            lastHandoff: event.revision,
            specification: event.phase === 'architect' ? event.revision : record.specification,
            handoffs: { ...record.handoffs, [event.phase]: event.content },
            handoffRevisions: { ...record.handoffRevisions, [event.phase]: event.revision },
          }
        : undefined;
    case 'evidence.recorded':
      return event.revision === record.lastEvidence + 1 ? applyEvidence(record, event) : undefined;
    case 'labels.owed': {
      if (event.revision !== record.lastOwed + 1) return undefined;
      const { revision, add, remove, by, why = 'no reason was given' } = event;
      const owed = [...record.owed, { revision, add, remove }];
      const cause = by === undefined ? {} : { cause: { by, why, at: event.at } };
      return { ...record, lastOwed: revision, owed, ...cause };
    }
    case 'labels.written': {
      const owed = record.owed.filter(({ revision }) => revision > event.revision);
      return owed.length === record.owed.length ? undefined : { ...record, owed };
    }
    case 'split.made':
      return event.revision === record.lastSplit + 1
        ? { ...record, lastSplit: event.revision, children: event.children }
        : undefined;
  }
}

/** Reasons that record only that an issue is waiting, not why. */
const ONLY_WAITING: ReadonlySet<string> = new Set([
  'paused',
  'halted',
  'legion_paused',
  'waits_for_answer',
  'waits_for_approval',
]);

/**
 * Reasons of decisions that are made before holds are checked. If the next decision is a hold, the
 * state that such a reason described has ended.
 */
const BEFORE_HOLDS: ReadonlySet<string> = new Set([
  'terminal',
  'unknown_status',
  'done',
  'waits_for_answer',
  'paused',
]);

function applyDecision(record: IssueRecord, event: EventOf<'decision.made'>): IssueRecord {
  const { action, mode, reason, evidence, at } = event;
  const { decisionBeforeHold, ...rest } = record;
  const before = findDecisionWithoutHold(record);
  const isHidden = LEGION_HOLDS.has(reason) && before !== undefined && !BEFORE_HOLDS.has(before.reason);
  const same = [record.decision, before].find((made) => isSameWait(made, event));
  return {
    ...rest,
    lastDecision: event.decision,
    decision: { action, mode, reason, evidence, since: same?.since ?? at },
    ...(isHidden && { decisionBeforeHold: before }),
    ...(ONLY_WAITING.has(reason) ? {} : { cause: { reason, mode, evidence } }),
    iceboxedByTriage: record.iceboxedByTriage === true || action === 'transition_to_icebox',
  };
}

function applyQuestion(record: IssueRecord, event: EventOf<'question.asked'>): IssueRecord {
  const { mode, attempt, text, at } = event;
  const question = { mode, attempt, text, askedAt: at };
  return {
    ...record,
    lastQuestion: event.question,
    questions: { ...record.questions, [event.question]: question },
  };
}

/** Keeps the first answer. */
function applyAnswer(record: IssueRecord, event: EventOf<'question.answered'>): IssueRecord | undefined {
  const question = record.questions[event.question];
  if (question === undefined || question.answer !== undefined) return undefined;
  const { by, text, at, comment } = event;
  const answer = { by, text, at, comment };
  return { ...record, questions: { ...record.questions, [event.question]: { ...question, answer } } };
}

function applyEvidence(record: IssueRecord, event: EventOf<'evidence.recorded'>): IssueRecord {
  const { kind, sha, verdict, by, suites, detail } = event;
  const evidence: Evidence = { kind, sha, verdict, by, suites, detail };
  return { ...record, lastEvidence: event.revision, evidence: { ...record.evidence, [kind]: evidence } };
}

/** Rejects questions of an attempt that is over. */
function isFromPresentAttempt(state: LegionState, event: EventOf<'question.asked'>): boolean {
  return state.workers.get(toWorkerId(event.issue, event.mode))?.attempt === event.attempt;
}

function applyPrune(state: LegionState, { issue, prune: serial }: EventOf<'issue.pruned'>): boolean {
  const record = state.issues.get(issue);
  if (record === undefined || serial !== record.lastPrune + 1) return false;
  state.issues.set(issue, pruneIssueRecord(record, serial));
  for (const mode of MODES) {
    const id = toWorkerId(issue, mode);
    const worker = state.workers.get(id);
    // If a worker's process may still be running, its full record is kept, because stopping the
    // worker requires it.
    if (worker !== undefined && !state.present.has(id)) setWorker(state, id, pruneWorkerRecord(worker));
  }
  return true;
}

type RoundEvent = EventOf<'round.counted' | 'rounds.reset'>;

/** Counts how often an issue repeats a phase, by reason, until a person resets the counts. */
export function evolveRounds(state: LegionState, event: RoundEvent): boolean {
  const record = state.issues.get(event.issue) ?? createIssueRecord(event.issue);
  const next =
    event.type === 'round.counted' ? applyCountedRound(record, event) : applyRoundReset(record, event);
  if (next === undefined) return false;
  state.issues.set(event.issue, next);
  return true;
}

/** The generation distinguishes counts before and after a reset. */
function applyCountedRound(record: IssueRecord, event: EventOf<'round.counted'>): IssueRecord | undefined {
  const made = record.rounds[event.reason] ?? 0;
  if (event.generation !== record.generation || event.count !== made + 1) return undefined;
  return { ...record, rounds: { ...record.rounds, [event.reason]: event.count } };
}

/**
 * Resets the counts and drops evidence with the verdict `could_not_run`, because the person wants
 * another try.
 */
function applyRoundReset(record: IssueRecord, event: EventOf<'rounds.reset'>): IssueRecord | undefined {
  if (event.generation !== record.generation + 1) return undefined;
  const completed = Object.entries(record.evidence).filter(([, { verdict }]) => verdict !== 'could_not_run');
  return { ...record, evidence: Object.fromEntries(completed), rounds: {}, generation: event.generation };
}

/** Applies recorded board changes: what the board showed, and when. */
export function evolveSighting(state: LegionState, event: EventOf<'issue.sighted' | 'issue.left'>): boolean {
  const { board } = state;
  const { issue, sight, at } = event;
  const before = board.get(issue);
  if (sight !== (before?.sight ?? 0) + 1) return false;
  if (event.type === 'issue.left') {
    if (before === undefined || before.left === true) return false;
    board.set(issue, { ...before, sight, left: true });
    return true;
  }
  const { title, status, column } = event;
  const isSame = before?.status === status && before.left === undefined;
  board.set(issue, { sight, title, status, column, since: isSame ? before.since : at });
  recordRejectionMove(state, issue, status);
  if (status === 'In Progress' && !isSame) removeRetroEvidence(state, issue);
  if (status !== 'Icebox' && status !== 'Triage') forgetIcebox(state, issue);
  return true;
}

/**
 * Called when the issue is in a status other than Icebox or Triage. From there, only a person can
 * move it back into the Icebox.
 */
function forgetIcebox(state: LegionState, issue: IssueId): void {
  const record = state.issues.get(issue);
  if (record?.iceboxedByTriage === true) state.issues.set(issue, { ...record, iceboxedByTriage: false });
}

/**
 * Called when the board shows that the issue entered In Progress. Legion's own decision to move it
 * is not enough: that move may fail, and a person may move the issue too.
 */
function removeRetroEvidence(state: LegionState, issue: IssueId): void {
  const record = state.issues.get(issue);
  if (record?.evidence.retro === undefined) return;
  const { retro: _, ...evidence } = record.evidence;
  state.issues.set(issue, { ...record, evidence });
}
