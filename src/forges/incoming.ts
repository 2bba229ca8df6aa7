/** Takes the commits of a workspace that is a clone of its own into the repository, under a reference that is soon gone again. */
import { LegionError } from '../core/model/fault.ts';
import { folderName } from '../core/model/ids.ts';
import { branchRef, type Repository } from '../integrations/forge-support/repository.ts';

/** One for all, because pushes to a repository come one after the other. */
export const INCOMING = 'refs/legion/incoming';

/** Where the last push from a workspace left the branch: a flat name, so that no branch can be in the way of another. */
export const lastPushRef = (branch: string): string => `refs/legion/pushed/${folderName(branch)}`;

/** What a fetch must not do besides bringing commits. */
export const ONLY_COMMITS: readonly string[] = [
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--no-recurse-submodules',
];

/** Resolves to the commit the branch has there; `INCOMING` holds it until it is deleted. */
export async function takeIn(repository: Repository, branch: string, workspace: string): Promise<string> {
  // The workspace belongs to a worker: what it hands over is checked as an outsider's.
  const checked = ['-c', 'fetch.fsckObjects=true'];
  await repository.run([
    ...checked,
    'fetch',
    ...ONLY_COMMITS,
    '--',
    workspace,
    `+${branchRef(branch)}:${INCOMING}`,
  ]);
  const sha = await repository.commit(INCOMING);
  if (sha === undefined) throw new LegionError('forge.branch_missing', `${branch} has no commit yet`);
  return sha;
}
