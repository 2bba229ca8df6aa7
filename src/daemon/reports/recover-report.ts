/** A report that was made and changed nothing: taken up from where it lies, and judged by its proof like any other. */
import type { EventBody } from '../../core/model/event.ts';
import { workerId } from '../../core/model/ids.ts';
import type { WorkerRecord } from '../../core/state/state.ts';
import { lifecycleOf } from '../../domain/lifecycle.ts';
import type { World } from '../world.ts';
import { judgeReport } from './judge-report.ts';

/** Its words are lost with the journal that had them; the flag only says that there was a report, and of which kind. */
const LOST_WORDS = 'recovered from its done flag; what it said was lost';

export async function recoverReport(world: World, worker: WorkerRecord): Promise<void> {
  const { issue, mode, attempt } = worker;
  const id = workerId(issue, mode);
  if (lifecycleOf(worker.facts) !== 'reporting') {
    const left = await world.reportLeft(id, attempt);
    if (typeof left !== 'object') return;
    // Outboxes are read with every look at the whole board; this only asks for one.
    if (left.where === 'outbox') return world.wake();
    await synthesise(world, worker, left.outcome);
  }
  await judgeReport(world, id, 'unheard');
}

/** Once: with a report in the journal, the flag has nothing more to say. */
async function synthesise(
  { ledger, wake }: World,
  { issue, mode, attempt }: WorkerRecord,
  outcome: 'done' | 'error',
): Promise<void> {
  await ledger.append((swarm) => {
    const present = swarm.workers.get(workerId(issue, mode));
    if (present?.attempt !== attempt || present.lastReport > 0) return [];
    const about = { issue, mode, attempt, report: 1 };
    const reported: EventBody = { type: 'attempt.reported', ...about, outcome, summary: LOST_WORDS };
    // An error claims nothing that would have to be proven.
    return outcome === 'error' ? [reported, { type: 'attempt.report_accepted', ...about }] : [reported];
  });
  wake(issue);
}
