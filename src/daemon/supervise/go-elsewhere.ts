/** Lets a worker that waits for its provider's quota go on with another agent, where one is configured and can work. */
import type { WorkerId } from '../../core/model/ids.ts';
import type { Swarm, WorkerRecord } from '../../core/state/state.ts';
import { lifecycleOf } from '../../domain/lifecycle.ts';
import { chooseAgent, nameOf } from '../../swarm/choose-agent.ts';
import type { World } from '../world.ts';

/** The wait ends as at the reset: no crash, and another attempt goes on from the checkpoint. */
export async function goElsewhere(world: World, id: WorkerId): Promise<void> {
  const { ledger, wake } = world;
  const present = ledger.swarm.workers.get(id);
  if (present === undefined || otherFor(world, ledger.swarm, present) === undefined) return;
  await ledger.append((swarm) => {
    const worker = swarm.workers.get(id);
    const other = worker === undefined ? undefined : otherFor(world, swarm, worker);
    if (worker === undefined || other === undefined) return [];
    const { issue, mode, attempt } = worker;
    const why = `Its provider has refused it for lack of quota; it goes on with ${other}.`;
    return [{ type: 'attempt.stopped', issue, mode, attempt, why }];
  });
  wake(present.issue);
}

function otherFor(world: World, swarm: Swarm, worker: WorkerRecord): string | undefined {
  const { mode, agent, model, facts } = worker;
  if (lifecycleOf(facts) !== 'waiting-quota' || agent === undefined) return undefined;
  const { agents, clock, settings } = world;
  const chosen = chooseAgent(swarm, mode, { agents, now: clock.now(), health: settings().health });
  if (!('choice' in chosen)) return undefined;
  const isSame = chosen.choice.agent === agent && chosen.choice.model === model;
  return isSame ? undefined : nameOf(chosen.choice);
}
