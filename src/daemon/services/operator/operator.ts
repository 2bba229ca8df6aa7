/** Serves operators: what is due and why, what is waiting for a person, and a person's decisions. */
import type { IssueId } from '../../../core/model/ids.ts';
import { toPlainState } from '../../../core/state/snapshot.ts';
import type { LegionState } from '../../../core/state/state.ts';
import type { DaemonContext } from '../../context/daemon-context.ts';
import type { OperatorService } from '../../daemon.ts';
import type { LoopControl } from '../../loop/control.ts';
import { openFailingLogs } from '../../repositories/read-checks.ts';
import { collectGarbage } from '../cleanup.ts';
import { type DaemonInfo, openDayBudgetItems } from '../health.ts';
import { advanceIssue } from './advance.ts';
import { answerIssue } from './answer.ts';
import { approveIssue } from './approve.ts';
import { readCi } from './ci.ts';
import { collectBoard, collectPosted } from './collect.ts';
import { explainIssue } from './explain.ts';
import { readGates } from './gates.ts';
import { readHandoffs, writeHandoff } from './handoff.ts';
import { haltByOperator, pauseIssue, pauseStarts, resumeIssue, resumeStarts } from './hold.ts';
import { collectInbox } from './inbox.ts';
import { mergePullRequest } from './merge-pull-request.ts';
import { rejectIssue } from './reject.ts';
import { approveCommands, handleBaselineRequest, readNewestCommands } from './repository-commands.ts';
import type { RevertStates } from './reverts.ts';
import { rollBackIssue } from './rollback.ts';
import { readStatus } from './status.ts';

export function createOperatorService(
  context: DaemonContext,
  control: LoopControl,
  info: DaemonInfo,
  revertStates: RevertStates,
): OperatorService {
  const sources = {
    failingLogs: openFailingLogs(context),
    dayItems: openDayBudgetItems(context),
    revertStates,
  };
  const toBoardId = (issue: IssueId) => context.boardView.resolveId(issue);
  return {
    collect: (request) => collectBoard(context, request),
    collectPosted: (posted) => collectPosted(context, posted),
    advance: (request) => advanceIssue(context, control, { ...request, issue: toBoardId(request.issue) }),
    materialized: () => toStateJson(context.ledger.state),
    explain: (issue) => explainIssue(context, control, revertStates, toBoardId(issue)),
    gates: (issue) => readGates(context, toBoardId(issue)),
    ci: (issue, query) => readCi(context, toBoardId(issue), query),
    handoffs: (issue) => readHandoffs(context, toBoardId(issue)),
    writeHandoff: (issue, phase, content) => writeHandoff(context, toBoardId(issue), phase, content),
    status: (query) => readStatus({ context, control, sources, info }, query),
    inbox: () => collectInbox(context, control, sources, info.startedAt),
    approve: (issue, request) => approveIssue(context, toBoardId(issue), request),
    reject: (issue, request) => rejectIssue(context, control, toBoardId(issue), request),
    answer: (issue, request) => answerIssue(context, toBoardId(issue), request),
    pause: (issue, by, why) =>
      issue === undefined ? pauseStarts(context, by, why) : pauseIssue(context, toBoardId(issue), by, why),
    resume: (issue, by) =>
      issue === undefined ? resumeStarts(context, by) : resumeIssue(context, toBoardId(issue), by),
    halt: (by, why) => haltByOperator(context, control, by, why),
    rollback: (issue, by) => rollBackIssue(context, toBoardId(issue), by),
    mergePullRequest: (request) => mergePullRequest(context, request),
    gc: () => collectGarbage(context, control),
    repositoryCommands: () =>
      Promise.all(context.repositories.all.map((repository) => readNewestCommands(context, repository))),
    approveCommands: (repo, fingerprint, by) => approveCommands(context, repo, fingerprint, by),
    baseline: (request) => handleBaselineRequest(context, request),
  };
}

/** Converts the folded state to plain JSON. */
export function toStateJson(state: LegionState): unknown {
  return toPlainState(state, (map) => Object.fromEntries(map));
}
