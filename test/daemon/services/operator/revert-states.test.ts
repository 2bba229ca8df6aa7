import { expect, test } from 'vitest';
import { LegionError } from '../../../../src/core/model/fault.ts';
import { openRevertStates } from '../../../../src/daemon/desks/operator/revert-states.ts';
import type { World } from '../../../../src/daemon/world.ts';
import { settableClock } from '../../../ports/forge/clock.ts';

const MINUTE_MS = 60_000;

/** One rolled-back issue, whose forge has pages of its own and answers what the test wants. */
function rolledBack(answer: () => { state: 'open' | 'merged' } | 'unknown' | undefined) {
  const clock = settableClock();
  const counts = { reads: 0 };
  const forge = {
    kind: 'github',
    async pullRequests() {
      counts.reads += 1;
      const found = answer();
      return new Map(found === undefined ? [] : [['revert-1', found]]);
    },
  };
  const undone = { revert: 13, branch: 'revert-1', by: 'ada', at: 0 };
  const issues = new Map([['DEMO-1', { merged: { undone } }]]);
  const world = { clock, ledger: { swarm: { issues } }, repositories: { find: () => ({ forge }) } };
  return { clock, counts, states: openRevertStates(world as unknown as World) };
}

test('reads a revert on a service once a minute, and a merged one never again', async () => {
  let state: 'open' | 'merged' = 'open';
  const { clock, counts, states } = rolledBack(() => ({ state }));
  for (let look = 0; look < 3; look += 1) expect(await states('DEMO-1')).toBe('open');
  expect(counts.reads).toBe(1);
  state = 'merged';
  clock.advance(MINUTE_MS);
  expect(await states('DEMO-1')).toBe('merged');
  clock.advance(MINUTE_MS);
  expect(await states('DEMO-1')).toBe('merged');
  expect(counts.reads).toBe(2);
});

test('takes a revert for open while the forge cannot be read, and for closed when it is gone', async () => {
  let answer: () => 'unknown' | undefined = () => 'unknown';
  const { clock, states } = rolledBack(() => answer());
  expect(await states('DEMO-1')).toBe('open');
  answer = () => {
    throw new LegionError('forge.unavailable', 'no answer');
  };
  clock.advance(MINUTE_MS);
  expect(await states('DEMO-1')).toBe('open');
  answer = () => undefined;
  clock.advance(MINUTE_MS);
  expect(await states('DEMO-1')).toBe('closed');
});

test('knows no revert of an issue that was not rolled back', async () => {
  const { counts, states } = rolledBack(() => 'unknown');
  expect(await states('DEMO-2')).toBeUndefined();
  expect(counts.reads).toBe(0);
});
