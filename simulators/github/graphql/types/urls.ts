/** Addresses of what can be opened in a browser. */

import type { Account, Issue, Project, PullRequest, Repository } from '../../model/nodes.ts';
import { nameOf } from '../../model/repositories.ts';

export function accountPath({ type, login }: Account): string {
  return type === 'Bot' ? `/apps/${login.replace(/\[bot\]$/, '')}` : `/${login}`;
}

export function repositoryPath(repository: Repository): string {
  return `/${nameOf(repository)}`;
}

export function threadPath(thread: Issue | PullRequest): string {
  const kind = thread.type === 'Issue' ? 'issues' : 'pull';
  return `${repositoryPath(thread.repository)}/${kind}/${thread.number}`;
}

export function projectPath({ owner, number }: Project): string {
  return `/${owner.type === 'Organization' ? 'orgs' : 'users'}/${owner.login}/projects/${number}`;
}
