/** What is done again and again costs what is at work, and not what ever was. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { haltSwarm } from '../../../src/core/state/halt.ts';
import { Starts } from '../../../src/core/state/starts.ts';
import { deliverAllLetters } from '../../../src/daemon/letters.ts';
import { startContext } from '../../../src/daemon/start-context.ts';
import { BreakerWatch } from '../../../src/daemon/supervise/breaker-watch.ts';
import { startSupervisor } from '../../../src/daemon/supervise/supervisor.ts';
import { type DeskLegion, deskLegion } from '../services/legion.ts';

let legion: DeskLegion;
beforeAll(async () => {
  legion = await deskLegion();
});
afterAll(() => legion.close());

test('no round over the workers goes through those that ended long ago', async () => {
  const { world, desks } = legion;
  const over = await legion.issue('In Progress');
  for (const mode of ['architect', 'plan', 'implement'] as const) {
    await legion.dispatched(over, mode);
    await legion.finished(over, mode);
  }
  const issue = await legion.issue('Todo');
  await legion.dispatched(issue, 'plan');

  const { workers } = world.ledger.swarm;
  const refuse = (): MapIterator<never> => {
    throw new Error('went through all workers');
  };
  Object.assign(workers, { values: refuse, entries: refuse, keys: refuse, [Symbol.iterator]: refuse });
  try {
    const supervisor = startSupervisor(
      world,
      () => undefined,
      () => undefined,
    );
    await supervisor.round();
    supervisor.close();
    await new BreakerWatch(world).round();
    await deliverAllLetters(world);
    expect(new Starts(world.ledger.swarm, startContext(world)).isOpen('plan')).toBe(true);
    expect(desks.health().workers).toMatchObject({ live: 1, waiting: 0 });
    const { stopped } = haltSwarm(world.ledger.swarm, { by: 'ada', why: 'test' }, () => false);
    expect(stopped).toEqual([`${issue.toLowerCase()}-plan`]);
  } finally {
    for (const name of ['values', 'entries', 'keys', Symbol.iterator]) Reflect.deleteProperty(workers, name);
  }
});
