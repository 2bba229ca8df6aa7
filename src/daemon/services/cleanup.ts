/** Cleans up after finished issues: removes their workspaces and their records. */
import { LegionError } from '../../core/model/fault.ts';
import { type IssueId, toWorkerId, type WorkerId } from '../../core/model/ids.ts';
import { toLifecycleState } from '../../core/model/lifecycle.ts';
import { isFinished, type ObservedStatus, readStatus } from '../../core/model/status.ts';
import { buildPruneEvents } from '../../core/state/retention.ts';
import type { LegionState } from '../../core/state/state.ts';
import type { ActionAnswer, GcAnswer, PruneAnswer, PruneRequest } from '../../protocol/operator.ts';
import { toFault } from '../context/active-problems.ts';
import type { PortContext, StateContext } from '../context/daemon-context.ts';
import type { LoopControl } from '../loop/control.ts';
import { readWithLimit } from './read-outside.ts';
import { findActiveWorker, refuseOtherRepository } from './workers/may-start.ts';

/**
 * Deletes the records of the finished issues in `issueIds`, or of all finished issues if it is
 * absent. Keeps the records of an issue whose workspace still exists, because that workspace may
 * hold work.
 */
export async function pruneFinishedIssues(
  context: StateContext & PortContext,
  { issueIds }: PruneRequest,
): Promise<PruneAnswer> {
  const { columns } = context.settings();
  // The listing is complete or fails, so an issue that is missing from it has really left the
  // board.
  const board = await readWithLimit((signal) => context.tracker.list(signal));
  const statuses = new Map(board.map(({ id, column }) => [id, readStatus(column, columns)]));
  const withWorkspace = new Set((await context.workspaces.list()).map(({ issue }) => issue));
  const wanted = issueIds?.map((id) => context.boardView.resolveId(id)) ?? [...statuses.keys()];
  const kept: PruneAnswer['kept'] = [];
  const over = wanted.filter((issue) => {
    const why = describeRecordNeed(context.ledger.state, issue, statuses.get(issue), withWorkspace);
    if (why !== undefined && issueIds !== undefined) kept.push({ issue, why });
    return why === undefined;
  });
  const pruned = await context.ledger.append((state) => over.flatMap((id) => buildPruneEvents(state, id)));
  return { pruned: pruned.flatMap((event) => (event.type === 'issue.pruned' ? [event.issue] : [])), kept };
}

function describeRecordNeed(
  state: LegionState,
  issue: IssueId,
  status: ObservedStatus | undefined,
  withWorkspace: ReadonlySet<IssueId>,
): string | undefined {
  if (status !== undefined && !isFinished(status)) return 'the issue is not finished';
  const at = findActiveWorker(state, issue);
  if (at !== undefined) return `${toWorkerId(issue, at.mode)} is ${toLifecycleState(at.facts)}`;
  return withWorkspace.has(issue) ? 'its workspace still exists' : undefined;
}

/**
 * Removes the workspace of a finished issue, unless work in it would be lost. Does nothing for an
 * unknown worker, so that a repeated cleanup succeeds.
 */
export async function removeWorkspace(
  context: StateContext & PortContext,
  control: LoopControl,
  id: WorkerId,
  repo: string | undefined,
): Promise<ActionAnswer> {
  const known = context.ledger.state.workers.get(id.toLowerCase());
  if (known === undefined) return { says: `There is no worker ${id}, so nothing was removed.` };
  const { issue } = known;
  refuseOtherRepository(context, issue, repo);
  const needed = await describeWorkspaceNeed(context, issue);
  if (needed !== undefined)
    throw new LegionError('workspace.in_use', `The workspace of ${issue} is in use: ${needed}.`);
  if ((await context.workspaces.find(issue)) === undefined) return { says: `${issue} has no workspace.` };
  const removal = await control.cleanWorkspace(issue);
  if (!removal.removed)
    throw new LegionError(
      'workspace.holds_work',
      `The workspace of ${issue} holds work that would be lost: ${removal.holds.join('; ')}.`,
    );
  return { says: `The workspace of ${issue} was removed.` };
}

async function describeWorkspaceNeed(
  context: StateContext & PortContext,
  issue: IssueId,
): Promise<string | undefined> {
  const at = findActiveWorker(context.ledger.state, issue);
  if (at !== undefined) return `${toWorkerId(issue, at.mode)} is ${toLifecycleState(at.facts)}`;
  const onBoard = await readWithLimit((signal) => context.tracker.read(issue, signal));
  if (onBoard === undefined) return undefined;
  const status = readStatus(onBoard.column, context.settings().columns);
  return isFinished(status) ? undefined : `the issue is in ${onBoard.column}`;
}

export async function collectGarbage(
  context: StateContext & PortContext,
  control: LoopControl,
): Promise<GcAnswer> {
  const { columns } = context.settings();
  // The listing is complete or fails, so an issue that is missing from it has really left the
  // board.
  const board = await readWithLimit((signal) => context.tracker.list(signal));
  const statuses = new Map(board.map(({ id, column }) => [id, readStatus(column, columns)]));
  const answer: GcAnswer = { removed: [], kept: [], pruned: [] };
  for (const { issue } of await context.workspaces.list()) {
    const status = statuses.get(issue);
    if (status !== undefined && !isFinished(status)) continue;
    const why = await tryCleanWorkspace(context, control, issue);
    if (why === undefined) answer.removed.push(issue);
    else answer.kept.push({ issue, why });
  }
  for (const { path } of context.repositories.all)
    answer.pruned.push(...(await context.workspaces.prune(path)));
  return answer;
}

/**
 * Returns the reason why the workspace is kept, or undefined if it was removed. A failure does not
 * affect other workspaces.
 */
async function tryCleanWorkspace(
  context: StateContext,
  control: LoopControl,
  issue: IssueId,
): Promise<string | undefined> {
  const at = findActiveWorker(context.ledger.state, issue);
  if (at !== undefined) return `${toWorkerId(issue, at.mode)} is ${toLifecycleState(at.facts)}`;
  try {
    const removal = await control.cleanWorkspace(issue);
    return removal.removed ? undefined : `it holds ${removal.holds.join('; ')}`;
  } catch (error) {
    return toFault(error).message;
  }
}
