/**
 * Stops an attempt's remaining processes step by step. Processes that survive are recorded and left
 * to the cleanup.
 */

import type { Command } from '../../core/model/command.ts';
import type { EventBody } from '../../core/model/event.ts';
import { toWorkerId } from '../../core/model/ids.ts';
import type { TracesAfterKill } from '../../core/model/lifecycle.ts';
import { toLifecycleState } from '../../core/model/lifecycle.ts';
import type { LegionState, WorkerRecord } from '../../core/state/state.ts';
import type { DaemonContext, PortContext, WorkerContext } from '../context/daemon-context.ts';
import { recordUncommittedWork } from '../context/record-uncommitted-work.ts';
import { deliverStopRequest } from '../prompts/worker-messages.ts';
import { findProcessIdentity, type StopRequest, stopProcess } from '../supervisor/stop-process.ts';
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
  const asked = crashed ? 'pointless' : createStopRequest(context, worker, evidence[0]);
  const ended = await stopProcess(context, identity, asked, signal);
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
 * The grace period counts from the stop in the journal. A restarted daemon asks the worker again,
 * but does not begin the grace period again. A worker that has reported is not asked, because it is
 * about to exit.
 */
function createStopRequest(context: DaemonContext, worker: WorkerRecord, why = ''): StopRequest {
  const { issue, mode, attempt, facts } = worker;
  const id = toWorkerId(issue, mode);
  return {
    async ask() {
      if (facts.stoppedAt === undefined) return context.clock.now();
      await deliverStopRequest(context, worker, why);
      return facts.stoppedAt;
    },
    countExtensions() {
      const present = context.ledger.state.workers.get(id);
      return present?.attempt === attempt ? (present.stopExtensions?.length ?? 0) : 0;
    },
  };
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
