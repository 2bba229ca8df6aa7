/**
 * Builds the comments that show the output of a phase: the specification and the plan on the issue,
 * and the test report on the pull request. Each is one comment, edited in later rounds.
 */
import type { Command } from '../../model/command.ts';
import { type IssueId, toWorkerId } from '../../model/ids.ts';
import { isLive, toLifecycleState } from '../../model/lifecycle.ts';
import { getPhaseMode } from '../../model/mode.ts';
import type { ObservedIssue } from '../../model/observed-issue.ts';
import type { IssueRecord, LegionState } from '../state.ts';
import { renderHandoff } from './render-handoff.ts';

type PutComment = Extract<Command, { kind: 'put_comment' }>;

const OUTPUTS = ['specification', 'plan', 'test'] as const;
type PhaseOutput = (typeof OUTPUTS)[number];

/** The phase outputs that are posted. */
export type CommentSettings = Readonly<Record<PhaseOutput, boolean>>;

const PHASES_OF_OUTPUT = { specification: 'architect', plan: 'plan', test: 'test' } as const;

/** Returns the comments that are due. Each is written once per revision. */
export function buildPhaseComments(
  state: LegionState,
  { issue, pullRequest }: ObservedIssue,
  settings: CommentSettings,
): readonly PutComment[] {
  const record = state.issues.get(issue.id);
  if (record === undefined) return [];
  return OUTPUTS.filter((output) => settings[output] && !isBeingWritten(state, issue.id, output))
    .flatMap((output): PutComment[] => {
      const revision = record.handoffRevisions[PHASES_OF_OUTPUT[output]];
      if (revision === undefined) return [];
      const comment = { kind: 'put_comment', issue: issue.id, key: `${issue.id}:${output}` } as const;
      const handoff = renderHandoff(record.handoffs[PHASES_OF_OUTPUT[output]]) ?? '';
      if (output !== 'test') {
        const title = output === 'plan' ? '**Plan**' : '**Specification**';
        return [{ ...comment, revision: String(revision), text: `${title}\n\n${handoff}` }];
      }
      const { test } = record.evidence;
      if (typeof pullRequest !== 'object' || test === undefined) return [];
      const { number } = pullRequest;
      const text = `${renderTestEvidence(test)}\n\n${handoff}`;
      return [{ ...comment, revision: `${revision} ${test.sha} ${test.verdict}`, text, pullRequest: number }];
    })
    .filter(({ key, revision }) => record.comments[key] !== revision);
}

/** While its worker runs, the output may still change. */
function isBeingWritten(state: LegionState, issue: IssueId, output: PhaseOutput): boolean {
  const worker = state.workers.get(toWorkerId(issue, getPhaseMode(PHASES_OF_OUTPUT[output])));
  return worker !== undefined && isLive(toLifecycleState(worker.facts));
}

function renderTestEvidence({ verdict, sha, suites, detail }: NonNullable<TestEvidence>): string {
  const result = verdict === 'could_not_run' ? 'could not run' : verdict;
  const ran = suites.length === 0 ? '' : ` (${suites.join(', ')})`;
  const line = `**Test report**: ${result} at commit ${sha.slice(0, 10)}${ran}`;
  return detail === '' ? line : `${line}\n\n${detail}`;
}

type TestEvidence = IssueRecord['evidence']['test'];
