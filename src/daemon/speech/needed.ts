/** What a verb cannot do without: a pull request that is open, a workspace. Each says what is not there. */
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { ForgePullRequest } from '../../ports/forge.ts';
import type { Workspace } from '../../workspaces/workspace.ts';
import { pullRequestOf } from '../reports/read-outside.ts';
import type { World } from '../world.ts';

export function notReady(detail: string): LegionError {
  return new LegionError('worker.not_ready', detail);
}

export function unreadable(): LegionError {
  return notReady('the pull request cannot be read now');
}

export async function neededPullRequest(world: World, issue: IssueId): Promise<ForgePullRequest> {
  const found = await pullRequestOf(world, issue);
  if (found === 'unknown') throw unreadable();
  if (found === 'none') throw notReady(`there is no pull request for ${issue} yet`);
  return found;
}

export async function neededOpenPullRequest(world: World, issue: IssueId): Promise<ForgePullRequest> {
  const found = await neededPullRequest(world, issue);
  if (found.state === 'open') return found;
  throw notReady(`pull request ${found.number} is merged already`);
}

export async function neededWorkspace({ workspaces }: World, issue: IssueId): Promise<Workspace> {
  const found = await workspaces.find(issue);
  if (found === undefined) throw notReady(`there is no workspace for ${issue}`);
  return found;
}
