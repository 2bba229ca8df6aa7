/** What an operator has said to a worker that it has not heard yet: a report made without it comes too early. */
import type { EventBody } from '../../domain/event.ts';
import type { Swarm, WorkerRecord } from '../../swarm/state.ts';
import { isFromOperator } from '../from-operator.ts';
import { messagesFor } from '../prompt/told.ts';
import type { World } from '../world.ts';

export interface Unheard {
  /** For the answer to its report: with it, the worker has heard them. */
  readonly missing: string;
  readonly delivered: (swarm: Swarm) => EventBody[];
}

/** Only of agents that go on in the same life: for the others their next life begins with it. */
export function unheardBy({ agentOf, ledger }: World, worker: WorkerRecord): Unheard | undefined {
  const waiting = operatorsWords(ledger.swarm, worker);
  if (waiting.length === 0 || !agentOf(worker).agent.hearsLetters) return undefined;
  const numbers = new Set(waiting.map(([message]) => message));
  return {
    missing: `Somebody spoke to you while you worked. Take it into account first.\n\n${waiting.map(([, { body }]) => body).join('\n\n')}\n\n`,
    delivered: (swarm) =>
      operatorsWords(swarm, worker)
        .filter(([message]) => numbers.has(message))
        .map(([message]) => ({ type: 'message.delivered', message })),
  };
}

function operatorsWords(swarm: Swarm, worker: WorkerRecord) {
  return messagesFor(swarm, worker).filter(([, { body }]) => isFromOperator(body));
}
