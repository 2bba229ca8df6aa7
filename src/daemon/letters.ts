/** Brings what is said to a worker at work to its process, which hears it when its turn ends, or at once where that cannot wait. */
import type { WorkerId } from '../core/model/ids.ts';
import type { WorkerRecord } from '../core/state/state.ts';
import { isLive, lifecycleOf } from '../domain/lifecycle.ts';
import { type Letter, letterId, letterName } from '../protocol/letter.ts';
import { isFromOperator } from './from-operator.ts';
import { messagesFor } from './prompt/told.ts';
import { fenced } from './prompts/quote-untrusted.ts';
import type { World } from './world.ts';

/**
 * Written again as often as one likes: the same letter is the same file. It counts as delivered when the worker has heard it, so
 * one that ends before that finds it in the prompt of its next life. Never rejects: what was said is safe in the journal, and is
 * brought with the next round over the workers.
 */
export async function deliverLetters(world: World, id: WorkerId): Promise<void> {
  const worker = world.ledger.swarm.workers.get(id);
  if (worker === undefined || !hears(worker)) return;
  try {
    for (const [message, { body, interrupt = false }] of messagesFor(world.ledger.swarm, worker)) {
      const text = isFromOperator(body) ? body : fenced('untrusted', 'A message from another worker', body);
      const letter: Letter = { id: letterId(message), text, interrupt };
      await world.host.deliver(id, worker.attempt, letterName(letter), JSON.stringify(letter));
    }
    world.troubles.clear(`letters to ${id}`);
  } catch (error) {
    world.troubles.raise(`letters to ${id}`, error);
  }
}

/** Whoever waits for a person or for quota has ended its process; its next life begins with what was said. */
function hears({ process, exit, facts }: WorkerRecord): boolean {
  return process !== undefined && exit === undefined && isLive(lifecycleOf(facts));
}

/** To everybody at work who has something to hear. */
export async function deliverAllLetters(world: World): Promise<void> {
  const addressed = new Set([...world.ledger.swarm.messages.values()].map(({ to }) => to));
  for (const id of addressed) await deliverLetters(world, id);
}
