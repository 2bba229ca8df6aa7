/** A pause whose write reached the tracker, or may have: a person who ends it in the meantime has the last word. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LegionError } from '../../../src/core/model/fault.ts';
import { perform } from '../../../src/daemon/perform/perform.ts';
import type { World } from '../../../src/daemon/world.ts';
import { type DeskLegion, deskLegion } from './legion.ts';

let legion: DeskLegion;
beforeAll(async () => {
  legion = await deskLegion();
});
afterAll(() => legion.close());

const { signal } = new AbortController();

async function paused() {
  const issue = await legion.issue('In Progress');
  const pause = { issue, add: ['legion-paused'], remove: [] } as const;
  const owed = { ...pause, add: [...pause.add], remove: [] };
  await legion.append({ type: 'labels.owed', ...owed, revision: 1 });
  return { issue, command: { kind: 'write_issue', ...owed, covers: 1 } as const };
}

/** The first write takes effect, and its answer is lost. */
function losingOneAnswer(): { world: World; writes: () => number } {
  const { tracker } = legion.world;
  let writes = 0;
  const write: World['tracker']['write'] = async (issue, change) => {
    await tracker.write(issue, change);
    writes += 1;
    if (writes === 1) throw new LegionError('tracker.unavailable', 'no answer');
  };
  const losing = Object.assign(Object.create(tracker) as World['tracker'], { write });
  return { world: { ...legion.world, tracker: losing }, writes: () => writes };
}

test('a pause that reached the board is not written again when its answer was lost', async () => {
  const { issue, command } = await paused();
  const { world, writes } = losingOneAnswer();
  expect(await perform(world, command, signal)).toMatchObject({ outcome: 'done' });
  expect(writes()).toBe(1);
  expect(await legion.labels(issue)).toContain('legion-paused');
});

test('a pause that is tried again after a person resumed the issue does not pause it', async () => {
  const { issue, command } = await paused();
  const remove = ['legion-paused' as const];
  await legion.append({ type: 'labels.owed', issue, revision: 2, add: [], remove });
  expect(await perform(legion.world, command, signal)).toMatchObject({ outcome: 'done' });
  expect(await legion.labels(issue)).not.toContain('legion-paused');
});

test('a pause of Legion’s own that is answered too late is not written again once a person has resumed the issue', async () => {
  const { ledger, tracker } = legion.world;
  const issue = await legion.issue('In Progress');
  const command = {
    kind: 'write_issue',
    ...{ issue, add: ['legion-paused' as const], remove: [], covers: 0 },
  } as const;
  const order = { ...command, add: [...command.add], remove: [] };
  const intent = ledger.swarm.lastIntent + 1;
  await legion.append({ type: 'intent.opened', intent, command: order });
  const write: World['tracker']['write'] = async (id, change) => {
    await tracker.write(id, change);
    await legion.desks.operator.resume(issue, 'ada');
    throw new LegionError('tracker.unavailable', 'no answer');
  };
  const late = Object.assign(Object.create(tracker) as World['tracker'], { write });
  const world = { ...legion.world, tracker: late };
  await expect(perform(world, order, signal)).rejects.toMatchObject({ code: 'tracker.unavailable' });
  expect(await legion.labels(issue)).not.toContain('legion-paused');
  expect(await perform(legion.world, order, signal)).toMatchObject({ outcome: 'done' });
  expect(await legion.labels(issue)).not.toContain('legion-paused');
  await legion.append({ type: 'intent.settled', intent, outcome: 'done', detail: '' });
});
