/**
 * Checks that the cost of periodic work depends on the number of running workers, not on the number
 * of past workers.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planHalt } from '../../../src/core/state/halt.ts';
import { StartAdmission } from '../../../src/core/state/starts.ts';
import { buildStartContext } from '../../../src/daemon/context/evaluator.ts';
import { deliverAllMessages } from '../../../src/daemon/prompts/worker-messages.ts';
import { BreakerWatch } from '../../../src/daemon/supervisor/breaker.ts';
import { startSupervisor } from '../../../src/daemon/supervisor/supervisor.ts';
import { type DeskLegion, deskLegion } from '../services/legion.ts';

let legion: DeskLegion;
beforeAll(async () => {
  legion = await deskLegion();
});
afterAll(() => legion.close());

test('a supervision round does not iterate over workers that ended long ago', async () => {
  const { world: context, desks } = legion;
  const over = await legion.issue('In Progress');
  for (const mode of ['architect', 'plan', 'implement'] as const) {
    await legion.dispatched(over, mode);
    await legion.finished(over, mode);
  }
  const issue = await legion.issue('Todo');
  await legion.dispatched(issue, 'plan');

  const { workers } = context.ledger.state;
  const refuse = (): MapIterator<never> => {
    throw new Error('iterated over all workers');
  };
  Object.assign(workers, { values: refuse, entries: refuse, keys: refuse, [Symbol.iterator]: refuse });
  try {
    const supervisor = startSupervisor(
      context,
      () => undefined,
      () => undefined,
    );
    await supervisor.runRound();
    supervisor.close();
    await new BreakerWatch(context).runRound();
    await deliverAllMessages(context);
    expect(new StartAdmission(context.ledger.state, buildStartContext(context)).isOpen('plan')).toBe(true);
    expect(desks.health().workers).toMatchObject({ live: 1, waiting: 0 });
    const { stopped } = planHalt(context.ledger.state, { by: 'ada', why: 'test' }, () => false);
    expect(stopped).toEqual([`${issue.toLowerCase()}-plan`]);
  } finally {
    for (const name of ['values', 'entries', 'keys', Symbol.iterator]) Reflect.deleteProperty(workers, name);
  }
});
