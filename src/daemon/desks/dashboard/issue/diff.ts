/** What an issue's work changes: its pull request where its commits are here, else what its workspace holds. */
import { LegionError } from '../../../../core/model/fault.ts';
import type { IssueId } from '../../../../core/model/ids.ts';
import type { Diff } from '../../../../protocol/dashboard.ts';
import type { Compared, Repository } from '../../../repository.ts';
import type { World } from '../../../world.ts';
import { knownIssue } from './known-issue.ts';

export async function diff(world: World, given: IssueId): Promise<Diff> {
  const issue = await knownIssue(world, given);
  const repository = world.repositories.find(issue);
  if (repository === undefined) return nothing(`${issue} belongs to no repository of this legion.`);
  const request = pullRequestOf(world, issue);
  const ofRequest = request && (await differences(repository, request.of));
  if (ofRequest !== undefined)
    return { of: 'pull_request', says: `Pull request ${request?.number}.`, ...ofRequest };
  const missing =
    request !== undefined
      ? `The commits of pull request ${request.number} are not on this machine`
      : // Nobody may have looked for one yet, or it could not be read.
        world.view.of(issue)?.pullRequest === 'none'
        ? 'There is no pull request'
        : 'No pull request is known';
  const workspace = await world.workspaces.find(issue);
  const inside = workspace && (await differences(repository, { workspace: workspace.path }));
  if (inside !== undefined) return { of: 'workspace', says: `${missing}; this is the workspace.`, ...inside };
  return nothing(
    workspace === undefined
      ? `${missing}, nor is there a workspace.`
      : `${missing}; the base branch is gone.`,
  );
}

/** A pull request that was merged is what it became on the base; one that was undone is none. */
function pullRequestOf({ ledger, view }: World, issue: IssueId): Request | undefined {
  const merged = ledger.swarm.issues.get(issue)?.merged;
  const seen = view.of(issue)?.pullRequest;
  if (typeof seen === 'object') {
    const { number, headSha, mergedSha, state } = seen;
    const of = state === 'merged' && mergedSha !== undefined ? { landed: mergedSha } : { head: headSha };
    return { number, of };
  }
  if (merged === undefined || merged.undone !== undefined) return undefined;
  return { number: merged.pullRequest, of: { landed: merged.mergedSha } };
}

interface Request {
  readonly number: number;
  readonly of: Compared;
}

async function differences(repository: Repository, of: Compared): ReturnType<Repository['differences']> {
  try {
    return await repository.differences(of);
  } catch (error) {
    // Nobody stopped it but the time it may take.
    if (error instanceof LegionError && error.code === 'git.interrupted')
      throw new LegionError('git.timeout', 'the changes could not be compared in time', { cause: error });
    throw error;
  }
}

function nothing(says: string): Diff {
  return { of: 'nothing', says, base: '', head: '', truncated: false, files: [] };
}
