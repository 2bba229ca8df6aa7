/** Stops an attempt whose provider refused its login: that is not a crash, and nobody else starts with the same login meanwhile. */
import { workerId } from '../../domain/ids.ts';
import { lifecycleOf } from '../../domain/lifecycle.ts';
import type { WorkerRecord } from '../../swarm/state.ts';
import type { World } from '../world.ts';
import type { Trace } from './trace.ts';

/** Whether it was stopped. One that has reported is judged by its report. */
export async function stopWithoutLogin(
  { ledger, noteRefusedLogin, wake }: World,
  { issue, mode, attempt, agent, model }: WorkerRecord,
  { loginRefused }: Pick<Trace, 'loginRefused'>,
): Promise<boolean> {
  if (loginRefused === undefined) return false;
  const appended = await ledger.append((swarm) => {
    const present = swarm.workers.get(workerId(issue, mode));
    if (present?.attempt !== attempt) return [];
    const state = lifecycleOf(present.facts);
    if (state !== 'spawned' && state !== 'executing') return [];
    const why = `The login of its agent was refused: ${loginRefused}`;
    return [{ type: 'attempt.stopped', issue, mode, attempt, why }];
  });
  if (appended.length === 0) return false;
  if (agent !== undefined) noteRefusedLogin({ agent, model }, loginRefused);
  wake(issue);
  return true;
}
