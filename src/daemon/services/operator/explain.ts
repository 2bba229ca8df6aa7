/**
 * Explains why an issue is or is not moving: what is due, since when, its workers, open items and
 * history.
 */

import { sumSpending } from '../../../core/health/budget.ts';
import type { Decision } from '../../../core/model/action.ts';
import { type IssueId, toWorkerId } from '../../../core/model/ids.ts';
import { MODES, type Mode } from '../../../core/model/mode.ts';
import { isFinished } from '../../../core/model/status.ts';
import { explainWait, findWaitStart } from '../../../core/state/explain-wait.ts';
import { listOpenQuestions } from '../../../core/state/issues.ts';
import { computeWorkerSpending } from '../../../core/state/spending.ts';
import { listIssueWorkers } from '../../../core/state/workers.ts';
import type { IssueExplanation } from '../../../protocol/operator.ts';
import type { DaemonContext, PortContext, StateContext } from '../../context/daemon-context.ts';
import type { LoopControl } from '../../loop/control.ts';
import { describeEvent } from '../../present/event.ts';
import { listQueuedMessages } from '../../prompts/worker-messages.ts';
import { readLastOutput } from '../../supervisor/last-output.ts';
import { evaluateIssue } from '../evaluate-issues.ts';
import { readWorkerStatus } from '../workers/known-worker.ts';
import { buildIssueState } from './collect.ts';
import { findIssueEvents } from './history.ts';
import { describeOpenPullRequest, type RevertStates } from './reverts.ts';
import { findApproval, findGivenApproval } from './show-approval.ts';

/** Number of events that fit on one screen. */
const MAX_EXPLAINED_EVENTS = 30;

export async function explainIssue(
  context: DaemonContext,
  control: LoopControl,
  revertStates: RevertStates,
  issue: IssueId,
): Promise<IssueExplanation> {
  const evaluation = await evaluateIssue(context, issue);
  const workers = await listWorkerStatuses(context, control, issue);
  const history = await readHistory(context, issue);
  const revert = await revertStates(issue);
  const { state: legion } = context.ledger;
  const record = legion.issues.get(issue);
  const state = buildIssueState(context, evaluation, undefined, revert);
  const open = isFinished(state.status) ? await describeOpenPullRequest(context, issue) : [];
  return {
    state: { ...state, says: [state.says, ...open].join(' ') },
    since: findWaitStart(legion, issue, evaluation.decision) ?? null,
    rounds: { ...record?.rounds },
    workers,
    spent: sumSpending(
      ...listIssueWorkers(legion, issue).map((worker) => computeWorkerSpending(worker, context.clock.now())),
    ),
    openIntents: [...legion.intents].flatMap(([intent, { command, openedAt }]) =>
      command.issue === issue ? [{ intent, kind: command.kind, since: openedAt }] : [],
    ),
    openQuestions: listOpenQuestions(legion, issue, evaluation.signals.labels),
    waitingMessages: MODES.flatMap((mode) => listWaitingMessages(context, issue, mode)).sort(
      (one, other) => one.message - other.message,
    ),
    ...(await readDecisionOutput(context, issue, evaluation.decision)),
    approval: findApproval(context, evaluation),
    approved: findGivenApproval(context, evaluation),
    history,
  };
}

function listWaitingMessages(
  { ledger }: StateContext,
  issue: IssueId,
  mode: Mode,
): IssueExplanation['waitingMessages'] {
  return listQueuedMessages(ledger.state, { issue, mode }).map(([message, { body, queuedAt }]) => ({
    message,
    mode,
    text: body,
    queuedAt,
  }));
}

async function readDecisionOutput(
  context: StateContext & PortContext,
  issue: IssueId,
  decision: Decision,
): Promise<Pick<IssueExplanation, 'lastOutput'>> {
  const { worker } = explainWait(context.ledger.state, issue, decision);
  if (worker === undefined) return {};
  const text = await readLastOutput(context, toWorkerId(issue, worker.mode), worker.attempt);
  return text === undefined ? {} : { lastOutput: { ...worker, text } };
}

async function listWorkerStatuses(
  context: StateContext & PortContext,
  control: LoopControl,
  issue: IssueId,
): Promise<IssueExplanation['workers']> {
  const workspace = (await context.workspaces.find(issue))?.path;
  const workers = listIssueWorkers(context.ledger.state, issue);
  return Promise.all(workers.map((worker) => readWorkerStatus(context, control, worker, workspace)));
}

async function readHistory({ ledger }: StateContext, issue: IssueId): Promise<IssueExplanation['history']> {
  const events = await findIssueEvents(ledger, issue, MAX_EXPLAINED_EVENTS);
  return events.map((event) => {
    const evidence = 'evidence' in event ? event.evidence : [];
    return { at: event.at, what: describeEvent(event), ...(evidence.length === 0 ? {} : { evidence }) };
  });
}
