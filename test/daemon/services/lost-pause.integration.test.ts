/**
 * Tests a pause whose write has reached, or may have reached, the tracker. If a person has since
 * ended the pause, it must not be written again.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LegionError } from '../../../src/core/model/fault.ts';
import { performCommand } from '../../../src/daemon/commands/perform.ts';
import type { DaemonContext } from '../../../src/daemon/context/daemon-context.ts';
import { overridePort } from '../../support/override-port.ts';
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

/** Returns a context in which the first write takes effect but the tracker's response is lost. */
function losingOneAnswer(): { world: DaemonContext; writes: () => number } {
  const { tracker } = legion.world;
  let writes = 0;
  const write: DaemonContext['tracker']['write'] = async (issue, change) => {
    await tracker.write(issue, change);
    writes += 1;
    if (writes === 1) throw new LegionError('tracker.unavailable', 'no answer');
  };
  const losing = overridePort(tracker, { write });
  return { world: { ...legion.world, tracker: losing }, writes: () => writes };
}

test('does not write a pause again if it reached the board but the response was lost', async () => {
  const { issue, command } = await paused();
  const { world: context, writes } = losingOneAnswer();
  expect(await performCommand(context, command, signal)).toMatchObject({ outcome: 'done' });
  expect(writes()).toBe(1);
  expect(await legion.labels(issue)).toContain('legion-paused');
});

test('retrying a pause does not pause an issue that a person has resumed', async () => {
  const { issue, command } = await paused();
  const remove = ['legion-paused' as const];
  await legion.append({ type: 'labels.owed', issue, revision: 2, add: [], remove });
  expect(await performCommand(legion.world, command, signal)).toMatchObject({ outcome: 'done' });
  expect(await legion.labels(issue)).not.toContain('legion-paused');
});

test('does not write Legion’s own pause again if the response was lost and a person has resumed the issue in the meantime', async () => {
  const { ledger, tracker } = legion.world;
  const issue = await legion.issue('In Progress');
  const command = {
    kind: 'write_issue',
    issue,
    add: ['legion-paused' as const],
    remove: [],
    covers: 0,
  } as const;
  const order = { ...command, add: [...command.add], remove: [] };
  const intent = ledger.state.lastIntent + 1;
  await legion.append({ type: 'intent.opened', intent, command: order });
  const write: DaemonContext['tracker']['write'] = async (id, change) => {
    await tracker.write(id, change);
    await legion.desks.operator.resume(issue, 'ada');
    throw new LegionError('tracker.unavailable', 'no answer');
  };
  const late = overridePort(tracker, { write });
  const world = { ...legion.world, tracker: late };
  await expect(performCommand(world, order, signal)).rejects.toMatchObject({ code: 'tracker.unavailable' });
  expect(await legion.labels(issue)).not.toContain('legion-paused');
  expect(await performCommand(legion.world, order, signal)).toMatchObject({ outcome: 'done' });
  expect(await legion.labels(issue)).not.toContain('legion-paused');
  await legion.append({ type: 'intent.settled', intent, outcome: 'done', detail: '' });
});
