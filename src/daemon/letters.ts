/** Brings what is said to a worker at work to its process, which hears it when its turn ends, or at once where that cannot wait. */
import { type WorkerId, workerId } from '../domain/ids.ts';
import { isLive, lifecycleOf } from '../domain/lifecycle.ts';
import { type Letter, letterId, letterName } from '../protocol/letter.ts';
import type { WorkerRecord } from '../swarm/state.ts';
import { isFromOperator } from './desks/workers/from-operator.ts';
import { fenced } from './prompt/fence.ts';
import { messagesFor } from './prompt/told.ts';
import type { World } from './world.ts';

/**
 * Written again as often as one likes: the same letter is the same file. It counts as delivered when the worker has heard it, so
 * one that ends before that finds it in the prompt of its next life.
 */
export async function deliverLetters(world: World, id: WorkerId): Promise<void> {
  const worker = world.ledger.swarm.workers.get(id);
  if (worker === undefined || !hears(worker)) return;
  for (const [message, { body, interrupt = false }] of messagesFor(world.ledger.swarm, worker)) {
    const text = isFromOperator(body) ? body : fenced('A message from another worker', body);
    const letter: Letter = { id: letterId(message), text, interrupt };
    await world.host.deliver(id, worker.attempt, letterName(letter), JSON.stringify(letter));
  }
}

/** Whoever waits for a person or for quota has ended its process; its next life begins with what was said. */
function hears({ process, exit, facts }: WorkerRecord): boolean {
  return process !== undefined && exit === undefined && isLive(lifecycleOf(facts));
}

/** To everybody at work who has something to hear; nobody's trouble keeps it from the others. */
export async function deliverAllLetters(world: World): Promise<void> {
  const { workers, messages } = world.ledger.swarm;
  if (messages.size === 0) return;
  const addressed = new Set([...messages.values()].map(({ to }) => to));
  for (const { issue, mode } of workers.values()) {
    const id = workerId(issue, mode);
    if (!addressed.has(id)) continue;
    try {
      await deliverLetters(world, id);
      world.troubles.clear(`letters to ${id}`);
    } catch (error) {
      world.troubles.raise(`letters to ${id}`, error);
    }
  }
}
