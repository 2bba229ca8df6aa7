/** The performer with a journal that refuses an append, as one on a full disk does. */
import { expect, test } from 'vitest';
import type { Command } from '../../../src/core/model/command.ts';
import { LegionError } from '../../../src/core/model/fault.ts';
import { openLedger } from '../../../src/daemon/context/journal-ledger.ts';
import { Cooling } from '../../../src/daemon/loop/issue-backoff.ts';
import { startPerformer } from '../../../src/daemon/loop/performer.ts';
import { Troubles } from '../../../src/daemon/troubles.ts';
import type { World } from '../../../src/daemon/world.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { simJournal } from '../../../src/sim/journal.ts';

const clock: Clock = { now: () => 1_000, monotonic: () => 0, sleep: () => Promise.resolve() };
const COMMAND: Command = { kind: 'comment', issue: 'A-1', key: 'k', text: 'Hello' };

async function perform(refusals: number): Promise<{ comments: number; outcomes: readonly string[] }> {
  const journal = simJournal(() => undefined);
  const append = journal.append.bind(journal);
  let left = 0;
  journal.append = (...given) => {
    if (left === 0) return append(...given);
    left -= 1;
    return Promise.reject(new LegionError('journal.full', 'the disk is full'));
  };
  const ledger = await openLedger(journal, clock, 'here', { onSnapshotFailure: () => undefined });
  await ledger.append([{ type: 'intent.opened', intent: 1, command: COMMAND }]);
  let comments = 0;
  const world = {
    ledger,
    clock,
    tracker: {
      comment: async () => {
        comments += 1;
        if (comments === 1) left = refusals;
      },
    },
    troubles: new Troubles(clock, () => undefined),
    wake: () => undefined,
  } as unknown as World;
  await startPerformer(world, new Cooling(clock)).begin('A-1', [{ intent: 1, command: COMMAND }]);
  const outcomes = journal.events.flatMap((event) =>
    event.type === 'intent.settled' ? [event.outcome] : [],
  );
  await ledger.close();
  return { comments, outcomes };
}

test('a command whose outcome could not be written is not carried out again', async () => {
  expect(await perform(2)).toEqual({ comments: 1, outcomes: ['done'] });
});

test('a command whose outcome is written at once is carried out once', async () => {
  expect(await perform(0)).toEqual({ comments: 1, outcomes: ['done'] });
});
