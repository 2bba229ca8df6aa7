/** Says something to a worker: as the answer it waits for, with its next turn, or by starting that turn now. */

import { randomUUID } from 'node:crypto';
import type { EventBody } from '../../../core/model/event.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { type WorkerId, workerId } from '../../../core/model/ids.ts';
import { isFinished, readStatus, type SeenStatus } from '../../../core/model/status.ts';
import type { Swarm, WorkerRecord } from '../../../core/state/state.ts';
import { isLive, lifecycleOf } from '../../../domain/lifecycle.ts';
import { describeStopping } from '../../../domain/stopping.ts';
import type { PromptAnswer, PromptRequest } from '../../../protocol/operator.ts';
import { nextVersion } from '../../../swarm/restart.ts';
import { stoppingOf } from '../../../swarm/stopping.ts';
import type { Control } from '../../control.ts';
import { openEvaluator } from '../../evaluator.ts';
import { fromOperator } from '../../from-operator.ts';
import { deliverLetters } from '../../letters.ts';
import { faultOf } from '../../troubles.ts';
import type { World } from '../../world.ts';
import { answerQuestion } from '../operator/answer.ts';
import { openQuestions } from '../operator/open-questions.ts';
import { readIssue } from '../read-outside.ts';
import { knownWorker } from './known-worker.ts';
import { refusePausedIssue, refuseWithoutRoom, workerAt } from './may-start.ts';
import { refuseEndedWorker } from './refuse-ended-worker.ts';
import { startOutOfTurn } from './start-out-of-turn.ts';

export async function prompt(
  world: World,
  control: Control,
  id: WorkerId,
  { text, by, interrupt, onlyIfWorking = false }: PromptRequest,
): Promise<PromptAnswer> {
  const worker = knownWorker(world.ledger.swarm, id);
  const status = await refuseIssueAtRest(world, worker);
  if (onlyIfWorking) refuseEndedWorker(world, worker, status);
  const asked = openQuestions(world.ledger.swarm, worker.issue, new Set()).findLast(
    ({ mode }) => mode === worker.mode,
  );
  if (asked !== undefined && lifecycleOf(worker.facts) === 'waiting-user') {
    const { says } = await answerQuestion(world, worker.issue, asked.question, { text, by });
    return {
      delivery: 'delivered',
      message: asked.question,
      says: `This is the answer it was waiting for. ${says}`,
    };
  }
  const message = await queue(world, worker, fromOperator(by, text), interrupt);
  const at = workerAt(world.ledger.swarm, worker.issue);
  if (at !== undefined) {
    if (at.mode === worker.mode) await deliverLetters(world, id);
    return { delivery: 'queued', message, says: whenIdle(world, worker, at, interrupt) };
  }
  if (onlyIfWorking) {
    const says = 'It has just ended, and gets this if it starts again.';
    return { delivery: 'queued', message, says };
  }
  return begin(world, control, worker, message);
}

/** A running worker can be prompted; a new turn would begin work on an issue that is over or paused. */
async function refuseIssueAtRest(world: World, { issue }: WorkerRecord): Promise<SeenStatus> {
  const { column, labels } = await readIssue(world, issue);
  const status = readStatus(column, world.settings().columns);
  const { swarm } = world.ledger;
  if (workerAt(swarm, issue) !== undefined) return status;
  if (isFinished(status))
    throw new LegionError('issue.over', `${issue} is ${column}. The prompt was not sent.`);
  refusePausedIssue(swarm, issue, labels);
  return status;
}

/** Whoever speaks to a worker has seen what was put aside for it: that is settled with it. */
async function queue(
  world: World,
  { issue, mode }: WorkerRecord,
  body: string,
  interrupt: boolean,
): Promise<number> {
  const to = workerId(issue, mode);
  const key = randomUUID();
  const appended = await world.ledger.append((swarm): EventBody[] => [
    {
      type: 'message.queued',
      message: swarm.lastMessage + 1,
      to,
      key,
      body,
      ...(interrupt ? { interrupt } : {}),
    },
    ...putAside(swarm, to).map((message): EventBody => ({ type: 'message.delivered', message })),
  ]);
  const queued = appended.find((event) => event.type === 'message.queued');
  return queued?.message ?? world.ledger.swarm.lastMessage;
}

/** Once queued it is safe: a worker that cannot start now gets it whenever it does. */
async function begin(
  world: World,
  control: Control,
  worker: WorkerRecord,
  message: number,
): Promise<PromptAnswer> {
  const { issue, mode } = worker;
  const stopping = stoppingOf(world.ledger.swarm, worker, world.settings().health);
  if (stopping !== undefined) {
    const state = describeStopping(stopping, world.clock.now());
    const says = `It is ${state} and gets this when it starts again. ${describeNextStart(world, worker)}`;
    return { delivery: 'queued', message, says };
  }
  const order = { issue, mode, purpose: 'operator', version: nextVersion(worker) } as const;
  try {
    await refuseWithoutRoom(world, issue, mode);
    await startOutOfTurn(world, control, order, () => []);
  } catch (error) {
    const { message: why, next } = faultOf(error);
    return {
      delivery: 'queued',
      message,
      says: `It cannot start now (${why}) and gets this when it starts. ${next}`,
    };
  }
  return { delivery: 'delivered', message, says: `${workerId(issue, mode)} continues with this now.` };
}

/** What makes a worker start again whose process has not ended yet. */
function describeNextStart(world: World, { issue, mode }: WorkerRecord): string {
  if (world.ledger.swarm.breaker.open !== undefined)
    return 'No worker starts at present: run `legion resume`.';
  const seen = world.view.of(issue);
  const isDue = seen !== undefined && openEvaluator(world).evaluate(seen).decision.mode === mode;
  if (!isDue) return `Run \`legion dispatch ${issue} ${mode} --force\` when its process has ended.`;
  return world.settings().autoAdvance
    ? 'It starts again by itself when its process has ended.'
    : `Run \`legion advance ${issue}\` when its process has ended.`;
}

function whenIdle(world: World, worker: WorkerRecord, at: WorkerRecord, interrupt: boolean): string {
  const state = lifecycleOf(at.facts);
  if (at.mode !== worker.mode)
    return `${workerId(at.issue, at.mode)} is ${state}; ${workerId(worker.issue, worker.mode)} gets this with its next turn.`;
  if (!isLive(state)) return `It is ${state} and gets this when it continues.`;
  if (!world.agentOf(at).agent.hearsLetters) return 'It is working and gets this with its next turn.';
  return interrupt
    ? 'Its turn is interrupted, and it continues with this.'
    : 'It is working and reads this at the end of its turn, before its report is accepted.';
}

function putAside(swarm: Swarm, worker: WorkerId): number[] {
  return [...swarm.messages]
    .filter(([, { to, setAside }]) => to === worker && setAside !== undefined)
    .map(([message]) => message);
}
