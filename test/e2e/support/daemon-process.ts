/**
 * Acts in place of a killed daemon: writes to the journal, board and host of a legion without a
 * leader.
 */
import { join } from 'node:path';
import type { Command } from '../../../src/core/model/command.ts';
import type { EventBody } from '../../../src/core/model/event.ts';
import type { LegionState } from '../../../src/core/state/state.ts';
import { openLedger } from '../../../src/daemon/context/journal-ledger.ts';
import { openLocalHost } from '../../../src/hosts/local/local-host.ts';
import { openLocalBoard } from '../../../src/integrations/local/tracker/open-local-board.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { systemClock } from '../../../src/lib/async/system-clock.ts';
import type { LocalBoard } from '../../../src/ports/board-editor.ts';
import type { ProcessIdentity } from '../../../src/ports/host.ts';
import type { TestLegion } from '../../support/running-daemon.ts';

/**
 * Writes open intents to the journal without settling them. Before each intent, appends the events
 * that `also` lists for it. Resolves to the numbers of the intents.
 */
export async function openIntents(
  { state }: TestLegion,
  commands: readonly { readonly command: Command; readonly also?: readonly EventBody[] }[],
): Promise<readonly number[]> {
  const journal = await openSqliteJournal(join(state, 'journal.db'));
  const ledger = await openLedger(journal, systemClock, 'who died', { onSnapshotFailure: () => undefined });
  const numbers: number[] = [];
  for (const { command, also = [] } of commands) {
    await ledger.append((state: LegionState) => {
      numbers.push(state.lastIntent + 1);
      return [...also, { type: 'intent.opened', intent: state.lastIntent + 1, command }];
    });
  }
  await ledger.close();
  return numbers;
}

export async function withBoard(
  { state }: TestLegion,
  work: (board: LocalBoard) => Promise<unknown>,
): Promise<void> {
  const board = await openLocalBoard(join(state, 'board.db'), { prefix: 'DEMO', now: systemClock.now });
  await work(board);
  await board.dispose();
}

/** Starts a process of this attempt without journaling it. */
export async function startWorkerProcess(
  { state, environment, folder }: TestLegion,
  worker: string,
  attempt: number,
): Promise<ProcessIdentity> {
  const host = await openLocalHost({ folder: join(state, 'host'), legion: 'demo', environment });
  return host.start({
    worker,
    attempt,
    cwd: folder,
    argv: ['sleep', '600'],
    stdin: '',
    env: { LEGION_STATE: state, LEGION_WORKER: worker },
  });
}
