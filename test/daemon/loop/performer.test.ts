/** Runs the performer with a journal that refuses an append, as on a full disk. */
import { expect, test } from 'vitest';
import type { Clock } from '../../../src/core/model/clock.ts';
import type { Command } from '../../../src/core/model/command.ts';
import { LegionError } from '../../../src/core/model/fault.ts';
import { ActiveProblems } from '../../../src/daemon/context/active-problems.ts';
import type { DaemonContext } from '../../../src/daemon/context/daemon-context.ts';
import { openLedger } from '../../../src/daemon/context/journal-ledger.ts';
import { IssueBackoff } from '../../../src/daemon/loop/issue-backoff.ts';
import { startPerformer } from '../../../src/daemon/loop/performer.ts';
import { createSimJournal } from '../../../src/sim/journal.ts';

const clock: Clock = { now: () => 1_000, monotonic: () => 0, sleep: () => Promise.resolve() };
const COMMAND: Command = { kind: 'comment', issue: 'A-1', key: 'k', text: 'Hello' };

async function perform(refusals: number): Promise<{ comments: number; outcomes: readonly string[] }> {
  const journal = createSimJournal(() => undefined);
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
  const context = {
    ledger,
    clock,
    tracker: {
      comment: async () => {
        comments += 1;
        if (comments === 1) left = refusals;
      },
    },
    problems: new ActiveProblems(clock, () => undefined),
    wake: () => undefined,
  } as unknown as DaemonContext;
  await startPerformer(context, new IssueBackoff(clock)).begin('A-1', [{ intent: 1, command: COMMAND }]);
  const outcomes = journal.events.flatMap((event) =>
    event.type === 'intent.settled' ? [event.outcome] : [],
  );
  await ledger.close();
  return { comments, outcomes };
}

test('does not repeat a command whose outcome could not be journaled', async () => {
  expect(await perform(2)).toEqual({ comments: 1, outcomes: ['done'] });
});

test('runs a command once if its outcome is journaled at the first attempt', async () => {
  expect(await perform(0)).toEqual({ comments: 1, outcomes: ['done'] });
});
