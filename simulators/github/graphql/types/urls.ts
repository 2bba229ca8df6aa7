/** Builds browser URLs. */

import type { Account, Issue, Project, PullRequest, Repository } from '../../model/nodes.ts';
import { nameOf } from '../../model/repositories.ts';

export function toAccountPath({ type, login }: Account): string {
  return type === 'Bot' ? `/apps/${login.replace(/\[bot\]$/, '')}` : `/${login}`;
}

export function toRepositoryPath(repository: Repository): string {
  return `/${nameOf(repository)}`;
}

export function toThreadPath(thread: Issue | PullRequest): string {
  const kind = thread.type === 'Issue' ? 'issues' : 'pull';
  return `${toRepositoryPath(thread.repository)}/${kind}/${thread.number}`;
}

export function toProjectPath({ owner, number }: Project): string {
  return `/${owner.type === 'Organization' ? 'orgs' : 'users'}/${owner.login}/projects/${number}`;
}
