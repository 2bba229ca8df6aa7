/** The hands of a daemon that died: what it had written into journal, board and host of a legion nobody leads at the moment. */
import { join } from 'node:path';
import type { Command } from '../../../src/core/model/command.ts';
import type { EventBody } from '../../../src/core/model/event.ts';
import type { Swarm } from '../../../src/core/state/state.ts';
import { openLedger } from '../../../src/daemon/context/journal-ledger.ts';
import type { ProcessIdentity } from '../../../src/hosts/host.ts';
import { openLocalHost } from '../../../src/hosts/local/local-host.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { systemClock } from '../../../src/lib/async/system-clock.ts';
import type { LocalBoard } from '../../../src/ports/board-editor.ts';
import { openLocalBoard } from '../../../src/trackers/local/open-local-board.ts';
import type { TestLegion } from '../../support/running-daemon.ts';

/** Intents it had opened and not settled; `also` is in the journal before each. Resolves to their numbers. */
export async function openIntents(
  { state }: TestLegion,
  commands: readonly { readonly command: Command; readonly also?: readonly EventBody[] }[],
): Promise<readonly number[]> {
  const journal = await openSqliteJournal(join(state, 'journal.db'));
  const ledger = await openLedger(journal, systemClock, 'who died', { onSnapshotFailure: () => undefined });
  const numbers: number[] = [];
  for (const { command, also = [] } of commands) {
    await ledger.append((swarm: Swarm) => {
      numbers.push(swarm.lastIntent + 1);
      return [...also, { type: 'intent.opened', intent: swarm.lastIntent + 1, command }];
    });
  }
  await ledger.close();
  return numbers;
}

export async function onBoard(
  { state }: TestLegion,
  work: (board: LocalBoard) => Promise<unknown>,
): Promise<void> {
  const board = await openLocalBoard(join(state, 'board.db'), { prefix: 'DEMO', now: systemClock.now });
  await work(board);
  await board.dispose();
}

/** A process of this attempt, started and not written down. */
export async function started(
  { state, environment, folder }: TestLegion,
  worker: string,
  attempt: number,
): Promise<ProcessIdentity> {
  const host = await openLocalHost({ folder: join(state, 'host'), legion: 'demo', environment });
  return host.start({
    ...{ worker, attempt, cwd: folder, argv: ['sleep', '600'], stdin: '' },
    env: { LEGION_STATE: state, LEGION_WORKER: worker },
  });
}
