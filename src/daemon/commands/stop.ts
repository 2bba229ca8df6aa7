/**
 * Stops an attempt's remaining processes step by step. Processes that survive are recorded and left
 * to the cleanup.
 */

import type { StopFacts } from '../../core/health/stop-ladder.ts';
import type { Command } from '../../core/model/command.ts';
import type { EventBody } from '../../core/model/event.ts';
import { toWorkerId } from '../../core/model/ids.ts';
import type { TracesAfterKill } from '../../core/model/lifecycle.ts';
import { toLifecycleState } from '../../core/model/lifecycle.ts';
import type { LegionState, WorkerRecord } from '../../core/state/state.ts';
import type { DaemonContext, PortContext, WorkerContext } from '../context/daemon-context.ts';
import { recordUncommittedWork } from '../context/record-uncommitted-work.ts';
import { findProcessIdentity, stopProcess } from '../supervisor/stop-process.ts';
import { createDoneOutcome, createSupersededOutcome, type IntentOutcome } from './outcome.ts';

type StopCommand = Extract<Command, { kind: 'stop' }>;
type LastActivity = Pick<TracesAfterKill, 'changeAt' | 'agentEventAt'>;

export async function stopAttempt(
  context: DaemonContext,
  command: StopCommand,
  signal: AbortSignal,
): Promise<IntentOutcome> {
  const { issue, mode, attempt, evidence } = command;
  const worker = context.ledger.state.workers.get(toWorkerId(issue, mode));
  if (worker?.attempt !== attempt) return createSupersededOutcome('a newer attempt has replaced it');
  const identity = findProcessIdentity(worker);
  if (identity === undefined || worker.exit !== undefined)
    return createSupersededOutcome('it has no process');
  const crashed = toLifecycleState(worker.facts) === 'crashed';
  // The last activity is read before the first signal, because output that the signal causes is not
  // evidence of activity.
  const signs = crashed ? await readLastActivity(context, worker) : undefined;
  await recordUncommittedWork(context, issue);
  const ended = await stopProcess(context, identity, crashed ? 'pointless' : findStopRequest(worker), signal);
  const about = { issue, mode, attempt };
  if (ended.left === 'zombie') {
    return createDoneOutcome(ended.why, () => [{ type: 'attempt.zombie', ...about, pid: identity.pid }]);
  }
  const { code, signal: by } = ended.exit === 'unknown' ? { code: null, signal: null } : ended.exit;
  return createDoneOutcome('its process exited', (state) => {
    const present = state.workers.get(toWorkerId(issue, mode));
    const isKnown = present?.attempt !== attempt || present.exit !== undefined;
    const exited: EventBody[] = isKnown ? [] : [{ type: 'attempt.exited', ...about, code, signal: by }];
    // Records a kill only if the worker was found dead and had to be signalled. Whether the kill
    // was right is judged later.
    const killed =
      signs !== undefined && ended.signalled ? [buildKillEvent(state, worker, evidence, signs)] : [];
    return [...exited, ...killed];
  });
}

/**
 * Reads the time of the stop request from the journal, so that a restarted daemon does not restart
 * the grace period.
 */
function findStopRequest({ facts: { stoppedAt } }: WorkerRecord): StopFacts['asked'] {
  return stoppedAt === undefined ? 'not_yet' : { at: stoppedAt };
}

function buildKillEvent(
  { kills }: LegionState,
  { issue, mode, attempt, crash, facts }: WorkerRecord,
  evidence: readonly string[],
  signs: LastActivity,
): EventBody {
  const flagged = facts.flaggedAt === undefined ? {} : { flaggedAt: facts.flaggedAt };
  const because = [...(crash ?? evidence)];
  return {
    type: 'kill.performed',
    issue,
    mode,
    attempt,
    kill: kills.last + 1,
    evidence: because,
    ...flagged,
    ...signs,
  };
}

async function readLastActivity(
  context: PortContext & WorkerContext,
  worker: WorkerRecord,
): Promise<LastActivity> {
  const { issue, session, native } = worker;
  const path = (await context.workspaces.find(issue).catch(() => undefined))?.path ?? '';
  const trace = await context.agentOf(worker).agent.session(session, native, path);
  return {
    changeAt: (await context.workspaces.changedAt(issue).catch(() => undefined)) ?? 'unavailable',
    agentEventAt: typeof trace === 'object' ? trace.at : trace === 'missing' ? 'none' : 'unavailable',
  };
}
