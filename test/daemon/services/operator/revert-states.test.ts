import { expect, test } from 'vitest';
import { LegionError } from '../../../../src/core/model/fault.ts';
import type { DaemonContext } from '../../../../src/daemon/context/daemon-context.ts';
import { openRevertStates } from '../../../../src/daemon/services/operator/reverts.ts';
import { settableClock } from '../../../ports/forge/clock.ts';

const MINUTE_MS = 60_000;

/** Creates one rolled-back issue. Its remote forge returns the given response. */
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
  const world = { clock, ledger: { state: { issues } }, repositories: { find: () => ({ forge }) } };
  return { clock, counts, states: openRevertStates(world as unknown as DaemonContext) };
}

test('reads the state of a revert once a minute, and stops reading once the revert is merged', async () => {
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

test('treats a revert as open while the forge cannot be read, and as closed once the revert no longer exists', async () => {
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

test('reports no revert for an issue that was not rolled back', async () => {
  const { counts, states } = rolledBack(() => 'unknown');
  expect(await states('DEMO-2')).toBeUndefined();
  expect(counts.reads).toBe(0);
});
