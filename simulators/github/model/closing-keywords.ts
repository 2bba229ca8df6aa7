/** Finds the issues that a pull request closes by the keywords in its text. */
import type { Issue, PullRequest } from './nodes.ts';
import { nameOf } from './repositories.ts';

const KEYWORD = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:([\w.-]+\/[\w.-]+))?#(\d+)\b/gi;

/**
 * Ignores the keywords unless the pull request targets the default branch. The simulator supports
 * only issues of the same repository.
 */
export function findClosingIssues({ body, base, repository }: PullRequest): Issue[] {
  if (base !== repository.base) return [];
  const found = new Set<Issue>();
  for (const [, other, number] of body.matchAll(KEYWORD)) {
    if (other !== undefined && other.toLowerCase() !== nameOf(repository).toLowerCase()) continue;
    const thread = repository.threads[Number(number) - 1];
    if (thread?.type === 'Issue') found.add(thread);
  }
  return [...found];
}
