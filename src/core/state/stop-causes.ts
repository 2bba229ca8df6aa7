/** Describes for people why the engine stopped an issue, in one sentence per reason. */
import type { EvidenceKind } from '../model/evidence.ts';
import type { Mode } from '../model/mode.ts';
import { ROUND_REASONS, type RoundReason } from '../model/mode.ts';
import type { StopReason } from '../pipeline/reasons.ts';
import type { IssueRecord, WorkerRecord } from './state.ts';

interface StoppedIssue {
  readonly mode: Mode;
  /** Facts of the decision, without its status. */
  readonly facts: readonly string[];
  readonly worker: WorkerRecord | undefined;
  readonly record: IssueRecord | undefined;
}

interface StopCause {
  readonly describe: (issue: StoppedIssue) => string;
  /** True if the last output of the issue's worker shows more. */
  readonly isAboutWorker: boolean;
}

export const STOP_CAUSES: Readonly<Record<StopReason, StopCause>> = {
  crash_limit: { describe: describeCrashes, isAboutWorker: true },
  budget_spent: {
    describe: ({ facts }) => `Paused because ${toLowerFirst(findSentence(facts) ?? 'A budget is used up.')}`,
    isAboutWorker: true,
  },
  no_progress: {
    describe: ({ mode, facts }) =>
      `Paused because the ${mode} worker is not making progress: ${toLowerFirst(findSentence(facts) ?? 'Its turns produce no result.')}`,
    isAboutWorker: true,
  },
  still_no_pr: {
    describe: ({ mode }) =>
      `Paused because there is still no pull request, although the ${mode} worker was reminded`,
    isAboutWorker: true,
  },
  still_no_review: {
    describe: ({ mode }) =>
      `Paused because there is still no review of this commit, although the ${mode} worker was reminded`,
    isAboutWorker: true,
  },
  quality_gate_could_not_run: {
    describe: ({ record }) =>
      `Paused because the quality gate could not run${formatEvidenceDetail(record, 'quality_gate')}`,
    isAboutWorker: false,
  },
  tests_could_not_run: {
    describe: ({ record }) =>
      `Paused because the tester could not run the tests${formatEvidenceDetail(record, 'test')}`,
    isAboutWorker: true,
  },
  round_limit: { describe: describeRounds, isAboutWorker: false },
  nothing_checked: {
    describe: () =>
      'Waiting for you because neither CI nor a quality gate has checked this commit: add commands.quality_gate (or commands.ci) to .legion/config.yml on the base branch, approve it with `legion approve --commands`, then answer',
    isAboutWorker: false,
  },
};

export function isStopReason(reason: string): reason is StopReason {
  return Object.hasOwn(STOP_CAUSES, reason);
}

function describeCrashes({ mode, worker, facts }: StoppedIssue): string {
  if (worker === undefined || worker.failedLives.length === 0)
    return `Paused because the ${mode} worker failed too often: ${findSentence(facts) ?? 'no details are known'}`;
  const { failedLives, facts: attemptFacts } = worker;
  const what =
    attemptFacts.crashedAt === undefined ? ['failed attempt', 'failed attempts'] : ['crash', 'crashes'];
  const count = failedLives.length;
  return `Paused after ${count} ${what[count === 1 ? 0 : 1]} of the ${mode} worker: ${describeEnd(worker)}`;
}

function describeEnd(worker: WorkerRecord): string {
  const { report, refusal, exit, agent = 'the agent', failedLives, facts } = worker;
  const hasCrashed = facts.crashedAt !== undefined;
  if (!hasCrashed && report?.outcome === 'error') return `it reported an error: ${report.summary}`;
  if (!hasCrashed && refusal !== undefined) return `its report was refused: ${refusal}`;
  const { how = '', error } = failedLives.at(-1) ?? {};
  const left = exit === undefined ? undefined : describeExit(agent, exit, refusal);
  if (error !== undefined) return `${left ?? agent}: ${error}`;
  return left ?? toLowerFirst(how === '' ? 'No cause was recorded.' : how);
}

function describeExit(
  agent: string,
  { code, signal }: NonNullable<WorkerRecord['exit']>,
  refusal: string | undefined,
): string {
  if (signal !== null) return `${agent} was killed by ${signal}`;
  // The refusal says what the report lacked, which the exit code does not.
  if (code === 0 && refusal !== undefined) return `${agent} exited after its report was refused: ${refusal}`;
  if (code === 0) return `${agent} exited with code 0 and without a report`;
  return code === null
    ? `${agent} exited, but its exit code is unknown`
    : `${agent} exited with code ${code}`;
}

function describeRounds({ facts }: StoppedIssue): string {
  for (const reason of ROUND_REASONS) {
    const tally = facts.find((fact) => fact.startsWith(`rounds.${reason}=`))?.split('=')[1];
    if (tally !== undefined) return `Waiting for you after ${tally} rounds: ${ROUND_DESCRIPTIONS[reason]}`;
  }
  return `Waiting for you because a merge condition is still not met: ${facts.join(', ')}`;
}

const ROUND_DESCRIPTIONS: Readonly<Record<RoundReason, string>> = {
  ci_failure: 'CI keeps failing',
  test_failure: 'the tester keeps finding failures',
  review_changes: 'the reviewer keeps asking for changes',
  conflict: 'the pull request keeps conflicting with its base',
  sent_back: 'the work keeps being sent back',
  quality_gate: 'the quality gate keeps failing',
  plan_review: 'the architect keeps asking for changes to the plan',
  retro: 'the retro does not finish',
  merge: 'the merge does not complete',
  closing_keyword: 'the pull request still does not state which issue it closes',
  no_pr: 'there is still no pull request',
  no_review: 'there is still no review of this commit',
};

function formatEvidenceDetail(record: IssueRecord | undefined, kind: EvidenceKind): string {
  const detail = record?.evidence[kind]?.detail.trim() ?? '';
  return detail === '' ? '' : `: ${detail.split('\n')[0]}`;
}

function findSentence(facts: readonly string[]): string | undefined {
  return facts.find((fact) => /\s/.test(fact));
}

function toLowerFirst(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}
