/** The answer to `legion status`, from one reading and one evaluation of the board. */
import { LegionError } from '../../../core/model/fault.ts';
import { sessionNamespace } from '../../../core/model/ids.ts';
import { isFinished, STATUSES } from '../../../core/model/status.ts';
import type { InboxItem } from '../../../protocol/operator.ts';
import type { IssueSummary, StatusAnswer, StatusQuery } from '../../../protocol/status.ts';
import type { Control } from '../../control.ts';
import {
  evaluateBoard,
  evaluateLastSeen,
  findWaits,
  type ShownEvaluation,
} from '../../desks/evaluate-issues.ts';
import { type DaemonInfo, healthOf } from '../../desks/health.ts';
import { stateOf, summaryOf } from '../../desks/operator/collect.ts';
import { listWorkers } from '../../present/worker.ts';
import type { World } from '../../world.ts';
import { type InboxSources, inbox } from './inbox.ts';

interface StatusSources {
  readonly world: World;
  readonly control: Pick<Control, 'undecided'>;
  readonly sources: InboxSources;
  readonly info: DaemonInfo;
}

export async function readStatus(
  status: StatusSources,
  { finished, detail }: StatusQuery,
): Promise<StatusAnswer> {
  const { world, info } = status;
  const { evaluations, unread } = await readBoard(world);
  const items = await readInbox(status, evaluations);
  const isFull = detail === 'full';
  const namespace = sessionNamespace(world.legionId);
  const issues = evaluations
    .map((each) => (isFull ? stateOf(world, each, namespace) : summaryOf(world, each)))
    .filter((issue) => finished === 'all' || !isFinished(issue.status) || hasWorkerNow(issue));
  return {
    daemon: describeDaemon(world, info, unread),
    waiting: items.length,
    isOutdated: unread !== undefined,
    issues: issues.sort((a, b) => rank(a) - rank(b)),
    ...(isFull ? { workers: listWorkers(world), inbox: items } : {}),
  };
}

/** While the board cannot be read, what was last seen of it is still of use. */
async function readBoard(world: World): Promise<{
  readonly evaluations: readonly ShownEvaluation[];
  readonly unread?: LegionError;
}> {
  try {
    return { evaluations: await evaluateBoard(world) };
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
    return { evaluations: evaluateLastSeen(world), unread: error };
  }
}

/** What waits for a person may be among what cannot be read; the rest of the answer is still of use. */
async function readInbox(
  { world, control, sources, info }: StatusSources,
  evaluations: readonly ShownEvaluation[],
): Promise<readonly InboxItem[]> {
  try {
    return await inbox(world, control, sources, info.startedAt, {
      issues: evaluations.map(({ seen }) => seen.issue),
      decisions: findWaits(world, evaluations),
    });
  } catch (error) {
    if (error instanceof LegionError && error.retryable) return [];
    throw error;
  }
}

/** Names the reason why the board could not be read, unless the loop has met it, too. */
function describeDaemon(
  world: World,
  info: DaemonInfo,
  unread: LegionError | undefined,
): StatusAnswer['daemon'] {
  const health = healthOf(world, info);
  if (unread === undefined || health.troubles.some(({ code }) => code === unread.code)) return health;
  return { ...health, troubles: [...health.troubles, { ...unread.fault, since: world.clock.now() }] };
}

/** A worker of a closed issue costs money as any other, so its issue is shown. */
function hasWorkerNow({ hasLiveWorker, workerStopping }: IssueSummary): boolean {
  return hasLiveWorker || workerStopping !== undefined;
}

function rank({ status }: IssueSummary): number {
  const place = (STATUSES as readonly string[]).indexOf(status);
  return place === -1 ? STATUSES.length : place;
}
