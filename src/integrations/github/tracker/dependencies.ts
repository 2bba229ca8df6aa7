/**
 * Reads and adds GitHub's issue dependencies. Only the REST API has them, so they are read only for
 * issues that are likely to have some.
 */

import { LegionError } from '../../../core/model/fault.ts';
import { isRefusal } from '../../../lib/read-isolated.ts';
import { isGithubNumber } from '../../tracker-support/pull-request-address.ts';
import type { GithubClient } from '../client/client.ts';
import type { IssueReference } from '../client/issue-reference.ts';
import type { GithubIssue } from './read-answer.ts';

const ROUTE = '/repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by';
/** Entries per page; GitHub's maximum. */
const PAGE = 100;
/** Number of concurrent requests: enough to be fast, but too few to hit a secondary rate limit. */
const AT_ONCE = 5;

/** The parts of an issue that decide whether its dependencies are read again. */
interface DependentIssue {
  readonly reference: IssueReference;
  readonly answer: Pick<GithubIssue, 'id' | 'updatedAt'>;
  readonly isSettled: boolean;
}

export interface IssueDependencies {
  /** Returns the last known blockers of an issue, or an empty list if they were never read. */
  of(node: string): readonly IssueReference[];
  /** Returns why some blockers could not be read, or undefined if all were read. */
  problemOf(node: string): string | undefined;
  /** Reads the blockers of these issues unless the cache is current. */
  learn(issues: readonly DependentIssue[], signal: AbortSignal): Promise<void>;
  /**
   * Reads the blockers of one issue regardless of the cache. If nothing has changed, the request
   * does not count against the rate limit.
   */
  ask(issue: DependentIssue, signal: AbortSignal): Promise<readonly IssueReference[]>;
  /** Makes the next list read this issue's blockers even if the search does not report it yet. */
  expect(node: string): void;
  isExpected(node: string): boolean;
  /** Drops all issues except these. */
  retain(nodes: ReadonlySet<string>): void;
  /** Makes an issue wait for another one, which is given by its database id. Idempotent. */
  add(issue: IssueReference, blockerId: number): Promise<void>;
}

interface DependencyAnswer {
  readonly references: readonly IssueReference[];
  readonly etag: string | undefined;
  readonly problem?: string | undefined;
}

interface KnownDependencies extends DependencyAnswer {
  readonly updatedAt: string;
  readonly isSettled: boolean;
}

interface RestIssue {
  readonly number: number;
  readonly repository_url: string;
}

export function openDependencies(client: GithubClient): IssueDependencies {
  const cache = new Map<string, KnownDependencies>();
  const expected = new Set<string>();

  async function ask(issue: DependentIssue, signal: AbortSignal): Promise<readonly IssueReference[]> {
    const { answer, isSettled } = issue;
    const known = cache.get(answer.id);
    const current = await read(issue, known, signal).catch((error) => recoverDependencies(error, known));
    // GitHub's search may lag behind, so the next list reads this issue's blockers again.
    if (current.references.length > 0 || current.problem !== undefined) expected.add(answer.id);
    else expected.delete(answer.id);
    // A refusal is never final: if GitHub later stops refusing, the issue's `updatedAt` does not
    // change and would not show it.
    const isFinal = isSettled && current.problem === undefined;
    cache.set(answer.id, { ...current, updatedAt: answer.updatedAt, isSettled: isFinal });
    return current.references;
  }

  /**
   * Reads the blockers. Only the etag of the first page can be checked, so a list with several
   * pages is read again each time.
   */
  async function read(
    { reference }: DependentIssue,
    known: KnownDependencies | undefined,
    signal: AbortSignal,
  ): Promise<DependencyAnswer> {
    const parameters = { ...buildRouteParameters(reference), per_page: PAGE };
    const callOptions = { signal, ...(known?.etag === undefined ? {} : { etag: known.etag }) };
    const first = await client.rest<readonly RestIssue[]>(`GET ${ROUTE}`, parameters, callOptions);
    if (first.data === undefined)
      return { references: known?.references ?? [], etag: known?.etag, problem: known?.problem };
    const entries = [...first.data];
    for (let { next } = first; next !== undefined; ) {
      const page = await client.rest<readonly RestIssue[]>(`GET ${next}`, {}, { signal });
      entries.push(...(page.data ?? []));
      next = page.next;
    }
    const references = entries.map(findIssueReference);
    return {
      references: references.filter((each) => each !== undefined),
      etag: first.next === undefined ? first.etag : undefined,
      problem: references.includes(undefined)
        ? 'GitHub returned a blocker without a repository or a number'
        : undefined,
    };
  }

  return {
    of: (node) => cache.get(node)?.references ?? [],
    problemOf: (node) => cache.get(node)?.problem,
    ask,
    async learn(issues, signal) {
      const outdated = issues.filter(({ answer }) => {
        const known = cache.get(answer.id);
        return known?.isSettled !== true || known.updatedAt !== answer.updatedAt;
      });
      for (let from = 0; from < outdated.length; from += AT_ONCE) {
        await Promise.all(outdated.slice(from, from + AT_ONCE).map((issue) => ask(issue, signal)));
      }
    },
    expect: (node) => void expected.add(node),
    isExpected: (node) => expected.has(node),
    retain(nodes) {
      for (const node of cache.keys()) if (!nodes.has(node)) cache.delete(node);
    },
    async add(issue, blockerId) {
      try {
        await client.rest(`POST ${ROUTE}`, { ...buildRouteParameters(issue), issue_id: blockerId });
      } catch (error) {
        // GitHub also refuses a dependency that already exists, so the dependencies are read to
        // tell the cases apart.
        if (!(error instanceof LegionError && error.code === 'github.refused')) throw error;
        const existing = await client.rest<readonly (RestIssue & { readonly id: number })[]>(`GET ${ROUTE}`, {
          ...buildRouteParameters(issue),
          per_page: PAGE,
        });
        if (existing.data?.some(({ id }) => id === blockerId) !== true) throw error;
      }
    },
  };
}

/**
 * Handles two errors: the issue is missing, which the board will report too, or the server is too
 * old to support dependencies.
 */
function recoverDependencies(error: unknown, known: KnownDependencies | undefined): DependencyAnswer {
  if (error instanceof LegionError && error.code === 'github.missing')
    return { references: [], etag: undefined };
  if (isRefusal(error))
    return { references: known?.references ?? [], etag: undefined, problem: error.message };
  throw error;
}

function buildRouteParameters({ owner, repo, number }: IssueReference): Record<string, unknown> {
  return { owner, repo, issue_number: number };
}

/**
 * Parses `https://api.github.com/repos/{owner}/{repo}`, on any GitHub host. Returns undefined if
 * the address or the number is invalid.
 */
function findIssueReference({ number, repository_url }: RestIssue): IssueReference | undefined {
  const [, owner, repo] = /\/([^/]+)\/([^/]+)$/.exec(String(repository_url)) ?? [];
  return owner === undefined || repo === undefined || !isGithubNumber(number)
    ? undefined
    : { owner, repo, number };
}
