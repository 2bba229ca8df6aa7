/**
 * Builds the events for an accepted report, in one append so that a finished phase and its labels
 * never diverge.
 */
import type { EventBody } from '../../core/model/event.ts';
import { toWorkerId } from '../../core/model/ids.ts';
import type { Label } from '../../core/model/label.ts';
import type { Mode } from '../../core/model/mode.ts';
import type { ObservedStatus } from '../../core/model/status.ts';
import { computeEffectiveLabels } from '../../core/state/effective-labels.ts';
import {
  createIssueRecord,
  type IssueRecord,
  type LegionState,
  type WorkerRecord,
} from '../../core/state/state.ts';
import { buildLandingEvents, isAutomaticMerge } from './landed.ts';
import type { PhaseFindings } from './work-handed-in.ts';

/** Statuses in which the pipeline starts each mode. */
const STATUSES_OF: Readonly<Record<Mode, readonly ObservedStatus[]>> = {
  architect: ['Backlog', 'Todo'],
  plan: ['Todo'],
  implement: ['In Progress', 'Retro'],
  test: ['Testing'],
  review: ['Needs Review'],
  merge: ['Retro'],
};

export function buildAcceptanceEvents(
  state: LegionState,
  worker: WorkerRecord,
  found: PhaseFindings,
): EventBody[] {
  const { issue, mode, attempt, lastReport: report } = worker;
  const record = state.issues.get(issue) ?? createIssueRecord(issue);
  const marks = isPhaseFinished(state, mode, found)
    ? decidePhaseLabels(record, found)
    : { add: [], remove: [] };
  return [
    { type: 'attempt.report_accepted', issue, mode, attempt, report },
    ...buildRetroProof(record, worker, found),
    ...buildMissedMergeEvents(state, found),
    {
      type: 'labels.owed',
      issue,
      revision: record.lastOwed + 1,
      add: [...marks.add],
      remove: ['worker-active', ...marks.remove],
    },
  ];
}

/**
 * Accepts a report that sends work back: the phase is finished with a bad result. From then on, the
 * work is not considered tested, whatever was recorded before.
 */
export function buildSentBackEvents(state: LegionState, worker: WorkerRecord): EventBody[] {
  const { issue, mode, attempt, lastReport: report } = worker;
  const record = state.issues.get(issue) ?? createIssueRecord(issue);
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
 * Returns whether the report finishes the phase that belongs to the issue's current status. If a
 * person moved the issue while the worker was running, accepting the report for the new status
 * would skip a phase.
 */
function isPhaseFinished(state: LegionState, mode: Mode, { issue, status }: PhaseFindings): boolean {
  if (!STATUSES_OF[mode].includes(status)) return false;
  const reviewsPlan = mode === 'architect' && status === 'Todo';
  return !reviewsPlan || computeEffectiveLabels(issue.labels, state, issue.id).has('architect-continuity');
}

function decidePhaseLabels(
  { evidence }: IssueRecord,
  { phase }: PhaseFindings,
): { add: Label[]; remove: Label[] } {
  if (phase !== 'test') return { add: ['worker-done'], remove: [] };
  return evidence.test?.verdict === 'passed'
    ? { add: ['worker-done', 'test-passed'], remove: ['test-failed'] }
    : { add: ['worker-done', 'test-failed'], remove: ['test-passed'] };
}

function buildRetroProof(
  record: IssueRecord,
  worker: WorkerRecord,
  { phase, pullRequest }: PhaseFindings,
): EventBody[] {
  if (phase !== 'retro' || typeof pullRequest !== 'object') return [];
  return [
    {
      type: 'evidence.recorded',
      issue: worker.issue,
      kind: 'retro',
      revision: record.lastEvidence + 1,
      sha: pullRequest.headSha,
      verdict: 'passed',
      by: toWorkerId(worker.issue, worker.mode),
      suites: [],
      detail: worker.report?.summary ?? 'no summary',
    },
  ];
}

/**
 * Records a merge that is missing from the journal, because the daemon may have stopped between the
 * merge and its event.
 */
function buildMissedMergeEvents(
  state: LegionState,
  { phase, pullRequest, issue }: PhaseFindings,
): EventBody[] {
  if (phase !== 'merge' || typeof pullRequest !== 'object' || pullRequest.mergedSha === undefined) return [];
  const { mergedSha } = pullRequest;
  const auto = isAutomaticMerge(computeEffectiveLabels(issue.labels, state, issue.id));
  return buildLandingEvents(state, { issue: issue.id, pullRequest, mergedSha, auto });
}
