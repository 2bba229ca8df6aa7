/** Stops what is left of an attempt, rung by rung; what survives is recorded and left to the cleanup. */

import type { AfterKill } from '../../core/health/kill-record.ts';
import type { StopFacts } from '../../core/health/stop-ladder.ts';
import type { Command } from '../../core/model/command.ts';
import type { EventBody } from '../../core/model/event.ts';
import { workerId } from '../../core/model/ids.ts';
import type { Swarm, WorkerRecord } from '../../core/state/state.ts';
import { lifecycleOf } from '../../domain/lifecycle.ts';
import { endProcess } from '../supervise/end-process.ts';
import { identityOf } from '../supervise/identity.ts';
import type { World } from '../world.ts';
import { done, type Outcome, superseded } from './outcome.ts';

type Stop = Extract<Command, { kind: 'stop' }>;
type LastSigns = Pick<AfterKill, 'changeAt' | 'agentEventAt'>;

export async function stop(world: World, command: Stop, signal: AbortSignal): Promise<Outcome> {
  const { issue, mode, attempt, evidence } = command;
  const worker = world.ledger.swarm.workers.get(workerId(issue, mode));
  if (worker?.attempt !== attempt) return superseded('another attempt has taken its place');
  const identity = identityOf(worker);
  if (identity === undefined || worker.exit !== undefined) return superseded('it has no process');
  const crashed = lifecycleOf(worker.facts) === 'crashed';
  // Before the first signal: what it writes because of that shows nothing.
  const signs = crashed ? await lastSignsOf(world, worker) : undefined;
  const ended = await endProcess(world, identity, crashed ? 'pointless' : askedAt(worker), signal);
  const about = { issue, mode, attempt };
  if (ended.left === 'zombie') {
    return done(ended.why, () => [{ type: 'attempt.zombie', ...about, pid: identity.pid }]);
  }
  const { code, signal: by } = ended.exit === 'unknown' ? { code: null, signal: null } : ended.exit;
  return done('its process is gone', (swarm) => {
    const present = swarm.workers.get(workerId(issue, mode));
    const isKnown = present?.attempt !== attempt || present.exit !== undefined;
    const exited: EventBody[] = isKnown ? [] : [{ type: 'attempt.exited', ...about, code, signal: by }];
    // Only what was found dead and did not go by itself was really killed; that is judged later.
    const killed = signs !== undefined && ended.signalled ? [kill(swarm, worker, evidence, signs)] : [];
    return [...exited, ...killed];
  });
}

/** From the journal: a daemon that starts in between does not begin the grace period again. */
function askedAt({ facts: { stoppedAt } }: WorkerRecord): StopFacts['asked'] {
  return stoppedAt === undefined ? 'not_yet' : { at: stoppedAt };
}

function kill(
  { kills }: Swarm,
  { issue, mode, attempt, crash, facts }: WorkerRecord,
  evidence: readonly string[],
  signs: LastSigns,
): EventBody {
  const flagged = facts.flaggedAt === undefined ? {} : { flaggedAt: facts.flaggedAt };
  const because = [...(crash ?? evidence)];
  return {
    ...{ type: 'kill.performed', issue, mode, attempt, kill: kills.last + 1, evidence: because },
    ...flagged,
    ...signs,
  };
}

async function lastSignsOf(world: World, worker: WorkerRecord): Promise<LastSigns> {
  const { issue, session, native } = worker;
  const path = (await world.workspaces.find(issue).catch(() => undefined))?.path ?? '';
  const trace = await world.agentOf(worker).agent.session(session, native, path);
  return {
    changeAt: (await world.workspaces.changedAt(issue).catch(() => undefined)) ?? 'unavailable',
    agentEventAt: typeof trace === 'object' ? trace.at : trace === 'missing' ? 'none' : 'unavailable',
  };
}
