/** Builds the answer to `legion status` from one read and one evaluation of the board. */
import { LegionError } from '../../../core/model/fault.ts';
import { computeSessionNamespace } from '../../../core/model/ids.ts';
import { isFinished, STATUSES } from '../../../core/model/status.ts';
import type { InboxItem } from '../../../protocol/operator.ts';
import type { IssueSummary, StatusAnswer, StatusQuery } from '../../../protocol/status.ts';
import type { DaemonContext } from '../../context/daemon-context.ts';
import type { LoopControl } from '../../loop/control.ts';
import { evaluateBoard, evaluateLastSeen, findWaits, type ShownEvaluation } from '../evaluate-issues.ts';
import { buildHealthView, type DaemonInfo } from '../health.ts';
import { listWorkers } from '../workers/list.ts';
import { buildIssueState, buildIssueSummary } from './collect.ts';
import { collectInbox, type InboxSources } from './inbox.ts';

interface StatusSources {
  readonly context: DaemonContext;
  readonly control: Pick<LoopControl, 'listUndecided'>;
  readonly sources: InboxSources;
  readonly info: DaemonInfo;
}

export async function readStatus(
  status: StatusSources,
  { finished, detail }: StatusQuery,
): Promise<StatusAnswer> {
  const { context, info } = status;
  const { evaluations, unread } = await readBoard(context);
  const items = await readInbox(status, evaluations);
  const isFull = detail === 'full';
  const namespace = computeSessionNamespace(context.legionId);
  const issues = evaluations
    .map((each) => (isFull ? buildIssueState(context, each, namespace) : buildIssueSummary(context, each)))
    .filter((issue) => finished === 'all' || !isFinished(issue.status) || hasWorkerNow(issue));
  return {
    daemon: describeDaemon(context, info, unread),
    waiting: items.length,
    isOutdated: unread !== undefined,
    issues: issues.sort((a, b) => computeStatusRank(a) - computeStatusRank(b)),
    ...(isFull ? { workers: await listWorkers(context, { active: false, finished }), inbox: items } : {}),
  };
}

/** Reads the board. If it cannot be read, returns its last seen state, which is still useful. */
async function readBoard(context: DaemonContext): Promise<{
  readonly evaluations: readonly ShownEvaluation[];
  readonly unread?: LegionError;
}> {
  try {
    return { evaluations: await evaluateBoard(context) };
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
    return { evaluations: evaluateLastSeen(context), unread: error };
  }
}

/** Reads the inbox. If it cannot be read, the rest of the answer is still useful. */
async function readInbox(
  { context, control, sources, info }: StatusSources,
  evaluations: readonly ShownEvaluation[],
): Promise<readonly InboxItem[]> {
  try {
    return await collectInbox(context, control, sources, info.startedAt, {
      issues: evaluations.map(({ seen }) => seen.issue),
      decisions: findWaits(context, evaluations),
    });
  } catch (error) {
    if (error instanceof LegionError && error.retryable) return [];
    throw error;
  }
}

/** Adds the reason why the board could not be read, unless the loop has already reported it. */
function describeDaemon(
  context: DaemonContext,
  info: DaemonInfo,
  unread: LegionError | undefined,
): StatusAnswer['daemon'] {
  const health = buildHealthView(context, info);
  if (unread === undefined || health.troubles.some(({ code }) => code === unread.code)) return health;
  return { ...health, troubles: [...health.troubles, { ...unread.fault, since: context.clock.now() }] };
}

/**
 * Returns whether the issue has a worker. Such an issue is shown even if it is closed, because its
 * worker costs money like any other.
 */
function hasWorkerNow({ hasLiveWorker, workerStopping }: IssueSummary): boolean {
  return hasLiveWorker || workerStopping !== undefined;
}

function computeStatusRank({ status }: IssueSummary): number {
  const rank = (STATUSES as readonly string[]).indexOf(status);
  return rank === -1 ? STATUSES.length : rank;
}
