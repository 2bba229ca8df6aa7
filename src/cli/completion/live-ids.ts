/** Ids of the running daemon for completion: quick, and nothing where no daemon answers in time. */
import type { IssueId } from '../../domain/ids.ts';
import type { Card } from '../../protocol/dashboard.ts';
import { dashboardEndpoints } from '../../protocol/endpoints/dashboard.ts';
import { workerEndpoints } from '../../protocol/endpoints/workers.ts';
import type { WorkerView } from '../../protocol/operator.ts';
import type { CommandContext } from '../command.ts';
import { type DaemonClient, daemonClient } from '../daemon-client.ts';
import { findRunningPlace } from '../place.ts';

/** Somebody waits with a finger on the key; a daemon usually answers within 50 ms. */
const ANSWER_MS = 300;

export interface NamedPlace {
  readonly legion: string | undefined;
  readonly config: string | undefined;
}

/** As the daemon saw them last: the board itself is not asked. */
export async function readLiveIssues(
  context: CommandContext,
  place: NamedPlace,
  isWanted: (card: Card) => boolean,
): Promise<readonly { readonly word: IssueId; readonly description: string }[]> {
  const board = await askQuickly(context, place, (daemon) =>
    daemon.call(dashboardEndpoints.board, { timeoutMs: ANSWER_MS }),
  );
  const wanted = (board?.cards ?? []).filter(isWanted);
  return wanted.map(({ id, title }) => ({ word: id, description: title }));
}

export async function readLiveWorkers(
  context: CommandContext,
  place: NamedPlace,
): Promise<readonly WorkerView[]> {
  const workers = await askQuickly(context, place, (daemon) =>
    daemon.call(workerEndpoints.list, { timeoutMs: ANSWER_MS }),
  );
  return workers ?? [];
}

/** Every failure means the same to the person: there are no ids to offer. */
async function askQuickly<T>(
  context: CommandContext,
  { legion, config }: NamedPlace,
  ask: (daemon: DaemonClient) => Promise<T>,
): Promise<T | undefined> {
  try {
    const { state } = findRunningPlace(context, {
      ...(legion === undefined ? {} : { legion }),
      ...(config === undefined ? {} : { config }),
    });
    return await ask(daemonClient(state, context.signal));
  } catch {
    return undefined;
  }
}
