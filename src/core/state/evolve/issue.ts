/** What the journal knows of an issue beside its workers: decisions, questions, handoffs, proofs, owed labels, splits. */

import type { Evidence } from '../../../domain/evidence.ts';
import { MODES } from '../../../domain/mode.ts';
import { pruneRecord, pruneWorker } from '../../../swarm/retention.ts';
import { setWorker } from '../../../swarm/workers.ts';
import { kindOf } from '../../model/action.ts';
import type { EventOf } from '../../model/event.ts';
import { workerId } from '../../model/ids.ts';
import { type IssueRecord, type MadeDecision, newIssueRecord, type Swarm } from '../state.ts';

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

export function evolveIssue(swarm: Swarm, event: IssueEvent): boolean {
  if (event.type === 'issue.pruned') return prune(swarm, event);
  if (event.type === 'question.asked' && !fromPresentAttempt(swarm, event)) return false;
  const record = swarm.issues.get(event.issue) ?? newIssueRecord(event.issue);
  const next = changed(record, event);
  if (next === undefined) return false;
  swarm.issues.set(event.issue, next);
  return true;
}

function changed(
  record: IssueRecord,
  event: Exclude<IssueEvent, { type: 'issue.pruned' }>,
): IssueRecord | undefined {
  switch (event.type) {
    case 'decision.made':
      return event.decision === record.lastDecision + 1 ? decided(record, event) : undefined;
    case 'question.asked':
      return event.question === record.lastQuestion + 1 ? asked(record, event) : undefined;
    case 'question.answered':
      return answered(record, event);
    case 'handoff.written':
      return event.revision === record.lastHandoff + 1
        ? {
            ...record,
            lastHandoff: event.revision,
            handoffs: { ...record.handoffs, [event.phase]: event.content },
          }
        : undefined;
    case 'evidence.recorded':
      return event.revision === record.lastEvidence + 1 ? proven(record, event) : undefined;
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

/** These say that an issue waits, not why. */
const ONLY_WAITING: ReadonlySet<string> = new Set([
  'paused',
  'halted',
  'legion_paused',
  'waits_for_answer',
  'waits_for_approval',
]);

const LEGION_HOLDS: ReadonlySet<string> = new Set(['halted', 'legion_paused']);

/** These are decided before a hold is considered: if a hold follows, they have really ended. */
const BEFORE_HOLDS: ReadonlySet<string> = new Set([
  'terminal',
  'unknown_status',
  'done',
  'waits_for_answer',
  'paused',
]);

function decided(record: IssueRecord, event: EventOf<'decision.made'>): IssueRecord {
  const { action, mode, reason, evidence, at } = event;
  const { decisionBeforeHold, ...rest } = record;
  const before = decisionWithoutHold(record);
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

/** A hold of the whole legion says nothing about the issue itself. */
export function decisionWithoutHold(record: IssueRecord | undefined): MadeDecision | undefined {
  const { decision, decisionBeforeHold } = record ?? {};
  return decision !== undefined && LEGION_HOLDS.has(decision.reason) ? decisionBeforeHold : decision;
}

/** The limit of a check counts from the first try, whatever it turns out to wait for. */
export function isSameWait(
  before: IssueRecord['decision'],
  { action, reason }: Pick<MadeDecision, 'action' | 'reason'>,
): before is MadeDecision {
  return before?.action === action && (before.reason === reason || kindOf(action) === 'retry');
}

function asked(record: IssueRecord, event: EventOf<'question.asked'>): IssueRecord {
  const { mode, attempt, text, at } = event;
  const question = { mode, attempt, text, askedAt: at };
  return {
    ...record,
    lastQuestion: event.question,
    questions: { ...record.questions, [event.question]: question },
  };
}

/** The first answer counts. */
function answered(record: IssueRecord, event: EventOf<'question.answered'>): IssueRecord | undefined {
  const question = record.questions[event.question];
  if (question === undefined || question.answer !== undefined) return undefined;
  const answer = { by: event.by, text: event.text, at: event.at };
  return { ...record, questions: { ...record.questions, [event.question]: { ...question, answer } } };
}

function proven(record: IssueRecord, event: EventOf<'evidence.recorded'>): IssueRecord {
  const { kind, sha, verdict, by, suites, detail } = event;
  const evidence: Evidence = { kind, sha, verdict, by, suites, detail };
  return { ...record, lastEvidence: event.revision, evidence: { ...record.evidence, [kind]: evidence } };
}

/** A life that is over cannot make a person answer for it. */
function fromPresentAttempt(swarm: Swarm, event: EventOf<'question.asked'>): boolean {
  return swarm.workers.get(workerId(event.issue, event.mode))?.attempt === event.attempt;
}

function prune(swarm: Swarm, { issue, prune: serial }: EventOf<'issue.pruned'>): boolean {
  const record = swarm.issues.get(issue);
  if (record === undefined || serial !== record.lastPrune + 1) return false;
  swarm.issues.set(issue, pruneRecord(record, serial));
  for (const mode of MODES) {
    const id = workerId(issue, mode);
    const worker = swarm.workers.get(id);
    // A worker whose process may still be there is needed whole to end it.
    if (worker !== undefined && !swarm.present.has(id)) setWorker(swarm, id, pruneWorker(worker));
  }
  return true;
}
