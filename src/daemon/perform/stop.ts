/** Stops what is left of an attempt, rung by rung; what survives is recorded and left to the cleanup. */
import type { Command } from '../../domain/command.ts';
import type { EventBody } from '../../domain/event.ts';
import { workerId } from '../../domain/ids.ts';
import { lifecycleOf } from '../../domain/lifecycle.ts';
import { endProcess } from '../supervise/end-process.ts';
import { identityOf } from '../supervise/identity.ts';
import type { World } from '../world.ts';
import { done, type Outcome, superseded } from './outcome.ts';

type Stop = Extract<Command, { kind: 'stop' }>;

export async function stop(world: World, command: Stop, signal: AbortSignal): Promise<Outcome> {
  const { issue, mode, attempt, evidence } = command;
  const worker = world.ledger.swarm.workers.get(workerId(issue, mode));
  if (worker?.attempt !== attempt) return superseded('another attempt has taken its place');
  const identity = identityOf(worker);
  if (identity === undefined || worker.exit !== undefined) return superseded('it has no process');
  const crashed = lifecycleOf(worker.facts) === 'crashed';
  const ended = await endProcess(world, identity, crashed ? 'pointless' : 'not_yet', signal);
  const about = { issue, mode, attempt };
  if (ended.left === 'zombie') {
    return done(ended.why, () => [{ type: 'attempt.zombie', ...about, pid: identity.pid }]);
  }
  const { code, signal: by } = ended.exit === 'unknown' ? { code: null, signal: null } : ended.exit;
  return done('its process is gone', (swarm) => {
    const present = swarm.workers.get(workerId(issue, mode));
    const isKnown = present?.attempt !== attempt || present.exit !== undefined;
    const exited: EventBody[] = isKnown ? [] : [{ type: 'attempt.exited', ...about, code, signal: by }];
    // Only what was found dead and still had a process was really killed; that is judged later.
    return crashed
      ? [...exited, { type: 'kill.performed', ...about, kill: swarm.kills.last + 1, evidence: [...evidence] }]
      : exited;
  });
}
