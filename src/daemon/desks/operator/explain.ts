/** Why an issue is, or is not, moving: what is due, since when, who is at it, what is open, what happened. */

import { type IssueId, workerId } from '../../../core/model/ids.ts';
import { isFinished } from '../../../core/model/status.ts';
import type { Decision } from '../../../domain/decision.ts';
import { MODES, type Mode } from '../../../domain/mode.ts';
import { sumOf } from '../../../health/spending.ts';
import type { Explanation } from '../../../protocol/operator.ts';
import { explainWait } from '../../../swarm/explain-wait.ts';
import { spentBy } from '../../../swarm/spending.ts';
import { findWaitStart } from '../../../swarm/wait-start.ts';
import { workersOf } from '../../../swarm/workers.ts';
import type { Control } from '../../control.ts';
import { eventInWords } from '../../present/event.ts';
import { messagesFor } from '../../prompt/told.ts';
import { eventsAbout } from '../../services/operator/history.ts';
import { readLastOutput } from '../../supervisor/last-output.ts';
import type { World } from '../../world.ts';
import { describeOpenPullRequest } from '../describe-open-pull-request.ts';
import { evaluateIssue } from '../evaluate-issues.ts';
import { statusOf } from '../workers/status.ts';
import { stateOf } from './collect.ts';
import { openQuestions } from './open-questions.ts';
import type { RevertStates } from './revert-states.ts';

/** What fits on a screen. */
const EVENTS_SHOWN = 30;

export async function explain(
  world: World,
  control: Control,
  revertStates: RevertStates,
  issue: IssueId,
): Promise<Explanation> {
  const evaluation = await evaluateIssue(world, issue);
  const workers = await workersNow(world, control, issue);
  const history = await historyOf(world, issue);
  const revert = await revertStates(issue);
  const { swarm } = world.ledger;
  const record = swarm.issues.get(issue);
  const state = stateOf(world, evaluation, undefined, revert);
  const open = isFinished(state.status) ? await describeOpenPullRequest(world, issue) : [];
  return {
    state: { ...state, says: [state.says, ...open].join(' ') },
    since: findWaitStart(swarm, issue, evaluation.decision) ?? null,
    rounds: { ...record?.rounds },
    workers,
    spent: sumOf(...workersOf(swarm, issue).map((worker) => spentBy(worker, world.clock.now()))),
    openIntents: [...swarm.intents].flatMap(([intent, { command, openedAt }]) =>
      command.issue === issue ? [{ intent, kind: command.kind, since: openedAt }] : [],
    ),
    openQuestions: openQuestions(swarm, issue, evaluation.signals.labels),
    waitingMessages: MODES.flatMap((mode) => messagesTo(world, issue, mode)).sort(
      (one, other) => one.message - other.message,
    ),
    ...(await lastOutputOf(world, issue, evaluation.decision)),
    history,
  };
}

function messagesTo({ ledger }: World, issue: IssueId, mode: Mode): Explanation['waitingMessages'] {
  return messagesFor(ledger.swarm, { issue, mode }).map(([message, { body, queuedAt }]) => ({
    message,
    mode,
    text: body,
    queuedAt,
  }));
}

async function lastOutputOf(
  world: World,
  issue: IssueId,
  decision: Decision,
): Promise<Pick<Explanation, 'lastOutput'>> {
  const { worker } = explainWait(world.ledger.swarm, issue, decision);
  if (worker === undefined) return {};
  const text = await readLastOutput(world, workerId(issue, worker.mode), worker.attempt);
  return text === undefined ? {} : { lastOutput: { ...worker, text } };
}

async function workersNow(world: World, control: Control, issue: IssueId): Promise<Explanation['workers']> {
  const workspace = (await world.workspaces.find(issue))?.path;
  const workers = workersOf(world.ledger.swarm, issue);
  return Promise.all(workers.map((worker) => statusOf(world, control, worker, workspace)));
}

async function historyOf({ ledger }: World, issue: IssueId): Promise<Explanation['history']> {
  const events = await eventsAbout(ledger, issue, EVENTS_SHOWN);
  return events.map((event) => {
    const evidence = 'evidence' in event ? event.evidence : [];
    return { at: event.at, what: eventInWords(event), ...(evidence.length === 0 ? {} : { evidence }) };
  });
}
