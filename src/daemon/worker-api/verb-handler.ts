/** Signature of a verb handler: takes a validated input from a worker and returns an answer. */

import { LegionError } from '../../core/model/fault.ts';
import type { IssueId, WorkerIdentity } from '../../core/model/ids.ts';
import type { ForgePullRequest } from '../../ports/forge.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { VerbAnswer, VerbInput, VerbName } from '../../protocol/verb.ts';
import type { DaemonContext, PortContext, StateContext } from '../context/daemon-context.ts';
import { findPullRequestOrUnknown } from '../repositories/read-outside.ts';

/**
 * Handles one verb. The attempt is checked before the call and again when the handler appends
 * events.
 */
export type VerbHandler<V extends VerbName> = (
  context: DaemonContext,
  who: WorkerIdentity,
  input: VerbInput<V>,
) => Promise<VerbAnswer<V>>;

/**
 * Creates the error for a verb whose precondition is not met, such as an open pull request or a
 * workspace.
 */
export function createNotReadyError(detail: string): LegionError {
  return new LegionError('worker.not_ready', detail);
}

export function createUnreadableError(): LegionError {
  return createNotReadyError('The pull request cannot be read at the moment.');
}

export async function requireIssuePullRequest(
  context: StateContext & PortContext,
  issue: IssueId,
): Promise<ForgePullRequest> {
  const found = await findPullRequestOrUnknown(context, issue);
  if (found === 'unknown') throw createUnreadableError();
  if (found === 'none') throw createNotReadyError(`${issue} has no pull request yet.`);
  return found;
}

export async function requireOpenPullRequest(
  context: StateContext & PortContext,
  issue: IssueId,
): Promise<ForgePullRequest> {
  const found = await requireIssuePullRequest(context, issue);
  if (found.state === 'open') return found;
  throw createNotReadyError(`Pull request ${found.number} is already merged.`);
}

export async function requireWorkspace({ workspaces }: PortContext, issue: IssueId): Promise<Workspace> {
  const found = await workspaces.find(issue);
  if (found === undefined) throw createNotReadyError(`${issue} has no workspace.`);
  return found;
}
