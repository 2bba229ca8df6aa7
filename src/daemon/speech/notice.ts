/** What a worker has to hear about its budget, with the next answer it gets: nobody can interrupt it in its turn. */
import { workerId } from '../../domain/ids.ts';
import { hasEnded, lifecycleOf } from '../../domain/lifecycle.ts';
import { inWords } from '../../health/words.ts';
import type { WorkerIdentity } from '../daemon.ts';
import { spendingStep } from '../supervise/spending-step.ts';
import type { World } from '../world.ts';

/** The answer with the notice at the end of what it says; as it is where there is nothing to say. */
export function withNotice(world: World, who: WorkerIdentity, answer: unknown): unknown {
  if (!hasWords(answer)) return answer;
  const notice = noticeFor(world, who);
  return notice === undefined ? answer : { ...answer, says: `${answer.says} ${notice}` };
}

function noticeFor(world: World, { issue, mode, attempt }: WorkerIdentity): string | undefined {
  const worker = world.ledger.swarm.workers.get(workerId(issue, mode));
  if (worker?.attempt !== attempt || hasEnded(lifecycleOf(worker.facts))) return undefined;
  const { step, why, lookAgainAt } = spendingStep(world, worker);
  switch (step) {
    case 'ask':
    case 'stop':
      return `${why} ${STOP} you will be stopped soon.`;
    case 'wait':
      return `${why} ${STOP} you will be stopped in ${inWords((lookAgainAt ?? 0) - world.clock.now())}.`;
    case 'warn':
      return `${why} ${HURRY}`;
    case 'nothing':
      return worker.warnings.length === 0 ? undefined : `A budget is nearly used up. ${HURRY}`;
  }
}

const STOP = 'Save a checkpoint now, report or ask, and end your turn:';
const HURRY = 'Save a checkpoint and come to an end.';

function hasWords(answer: unknown): answer is { says: string } {
  return typeof answer === 'object' && answer !== null && 'says' in answer && typeof answer.says === 'string';
}
