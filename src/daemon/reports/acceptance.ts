/** What accepting a report writes: one append, so that a finished phase and its marks are never apart. */
import type { EventBody } from '../../core/model/event.ts';
import { workerId } from '../../core/model/ids.ts';
import type { SeenStatus } from '../../core/model/status.ts';
import { type IssueRecord, newIssueRecord, type Swarm, type WorkerRecord } from '../../core/state/state.ts';
import type { Label } from '../../domain/label.ts';
import type { Mode } from '../../domain/mode.ts';
import { effectiveLabels } from '../../swarm/effective-labels.ts';
import type { Found } from './find-proof.ts';
import { landed, wasAutomatic } from './landed.ts';

/** The statuses in which the pipeline starts each kind of worker. */
const STATUSES_OF: Readonly<Record<Mode, readonly SeenStatus[]>> = {
  architect: ['Backlog', 'Todo'],
  plan: ['Todo'],
  implement: ['In Progress', 'Retro'],
  test: ['Testing'],
  review: ['Needs Review'],
  merge: ['Retro'],
};

export function acceptance(swarm: Swarm, worker: WorkerRecord, found: Found): EventBody[] {
  const { issue, mode, attempt, lastReport: report } = worker;
  const record = swarm.issues.get(issue) ?? newIssueRecord(issue);
  const marks = finishesPhase(swarm, mode, found) ? phaseMarks(record, found) : { add: [], remove: [] };
  return [
    { type: 'attempt.report_accepted', issue, mode, attempt, report },
    ...retroProof(record, worker, found),
    ...madeGood(swarm, found),
    {
      type: 'labels.owed',
      issue,
      revision: record.lastOwed + 1,
      add: [...marks.add],
      remove: ['worker-active', ...marks.remove],
    },
  ];
}

/** A finished phase with a bad result. Unfit work did not pass its tests, whatever was said of it before. */
export function acceptSentBack(swarm: Swarm, worker: WorkerRecord): EventBody[] {
  const { issue, mode, attempt, lastReport: report } = worker;
  const record = swarm.issues.get(issue) ?? newIssueRecord(issue);
  return [
    { type: 'attempt.report_accepted', issue, mode, attempt, report },
    {
      type: 'labels.owed',
      issue,
      revision: record.lastOwed + 1,
      add: mode === 'test' ? ['worker-done', 'test-failed'] : ['worker-done'],
      remove: mode === 'test' ? ['worker-active', 'test-passed'] : ['worker-active'],
    },
  ];
}

/**
 * `worker-done` says that the phase of the present status is finished. A person may have moved the issue while the
 * worker worked; counted there, its report would skip a phase.
 */
function finishesPhase(swarm: Swarm, mode: Mode, { issue, status }: Found): boolean {
  if (!STATUSES_OF[mode].includes(status)) return false;
  const reviewsPlan = mode === 'architect' && status === 'Todo';
  return !reviewsPlan || effectiveLabels(issue.labels, swarm, issue.id).has('architect-continuity');
}

function phaseMarks({ evidence }: IssueRecord, { phase }: Found): { add: Label[]; remove: Label[] } {
  if (phase !== 'test') return { add: ['worker-done'], remove: [] };
  return evidence.test?.verdict === 'passed'
    ? { add: ['worker-done', 'test-passed'], remove: ['test-failed'] }
    : { add: ['worker-done', 'test-failed'], remove: ['test-passed'] };
}

function retroProof(record: IssueRecord, worker: WorkerRecord, { phase, pullRequest }: Found): EventBody[] {
  if (phase !== 'retro' || typeof pullRequest !== 'object') return [];
  return [
    {
      type: 'evidence.recorded',
      issue: worker.issue,
      kind: 'retro',
      revision: record.lastEvidence + 1,
      sha: pullRequest.headSha,
      verdict: 'passed',
      by: workerId(worker.issue, worker.mode),
      suites: [],
      detail: worker.report?.summary ?? 'no summary',
    },
  ];
}

/** The daemon may have ended between a merge and its word in the journal. */
function madeGood(swarm: Swarm, { phase, pullRequest, issue }: Found): EventBody[] {
  if (phase !== 'merge' || typeof pullRequest !== 'object' || pullRequest.mergedSha === undefined) return [];
  const { mergedSha } = pullRequest;
  const auto = wasAutomatic(effectiveLabels(issue.labels, swarm, issue.id));
  return landed(swarm, { issue: issue.id, pullRequest, mergedSha, auto });
}
