/** Refuses to begin where the account lacks a right on GitHub that Legion will need. */

import { LegionError } from '../../../core/model/fault.ts';
import { repositoryName } from '../../../daemon/compose-clone.ts';
import { checkAccess } from '../../../github/check-access.ts';
import type { Finding } from '../../../github/finding.ts';
import type { Github } from '../../../github/open.ts';
import { readBoard } from '../../github/board.ts';
import type { ProjectName } from '../../github/project-name.ts';

/** `project`: where the board is there, too. */
export async function refuseWithoutAccess(
  client: Github,
  repositories: readonly string[],
  project: ProjectName | undefined,
  signal: AbortSignal,
): Promise<void> {
  const wanted = repositories.map(repositoryName).map(({ owner, name }) => ({ owner, repo: name }));
  const findings = await checkAccess(client, { project, repositories: wanted }, signal);
  const lacking = findings.filter((finding) => !finding.ok && finding.optional !== true);
  if (lacking.length === 0) return;
  // A project or repository that is not there has a fault of its own.
  if (project !== undefined && lacking.every(({ what }) => what !== 'scopes'))
    await readBoard(client, project, signal);
  throw new LegionError('github.forbidden', lacking.map(inWords).join('\n'));
}

function inWords({ what, why, next }: Finding): string {
  return `${what}: ${why}. ${next ?? ''}`.trimEnd();
}
