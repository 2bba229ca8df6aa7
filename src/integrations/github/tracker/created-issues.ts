/**
 * Finds issues that Legion created. GitHub has no idempotency keys, so the issues are recognized by
 * the key in their hidden marker.
 */

import type { z } from 'zod';
import { LegionError } from '../../../core/model/fault.ts';
import { NEVER_ABORTED } from '../../../lib/async/abortable.ts';
import { collectForward, type ForwardPage } from '../../../lib/paginate.ts';
import type { GithubClient } from '../client/client.ts';
import { findOwnMark, type IsLegion } from '../client/published-text.ts';
import type { IssuesSinceQuery, MadeFragment, SubIssuesQuery } from '../generated/tracker.ts';
import { ISSUES_SINCE, SUB_ISSUES } from './documents.ts';
import { createdIssueAnswer } from './read-answer.ts';

export type CreatedIssue = z.output<typeof createdIssueAnswer>;

export interface CreatedIssues {
  /** Finds sub-issues of the given parent. */
  below(parent: string, name: string): Promise<readonly CreatedIssue[]>;
  /**
   * Finds issues without a parent: reads the whole repository once, then only the issues that have
   * changed since.
   */
  within(
    repository: { readonly owner: string; readonly name: string },
    name: string,
  ): Promise<readonly CreatedIssue[]>;
  /**
   * Returns the issues that contain this marker and were written by Legion, lowest number first.
   */
  marked(issues: readonly CreatedIssue[], name: string): readonly CreatedIssue[];
}

interface RememberedRepository {
  /** Issues by marker name, without their texts, because a repository may have thousands. */
  readonly byName: Map<string, Map<string, CreatedIssue>>;
  since: string | undefined;
}

export function openCreatedIssues(client: GithubClient, isLegion: IsLegion): CreatedIssues {
  const repositories = new Map<string, RememberedRepository>();

  function filterMarked(issues: readonly CreatedIssue[], name: string): readonly CreatedIssue[] {
    return issues
      .filter((each) => findOwnMark(each, isLegion) === name)
      .toSorted((a, b) => a.number - b.number);
  }

  function remember({ byName }: RememberedRepository, issue: CreatedIssue): void {
    const name = findOwnMark(issue, isLegion);
    if (name === undefined) return;
    const issuesById = byName.get(name) ?? new Map<string, CreatedIssue>();
    byName.set(name, issuesById.set(issue.id, { ...issue, body: '' }));
  }

  return {
    marked: filterMarked,
    async below(parent, name) {
      const readSubIssues = async (after: string | null) => {
        const variables = { id: parent, after };
        const { node } = await client.query<SubIssuesQuery>(SUB_ISSUES, variables, { signal: NEVER_ABORTED });
        return readCreatedPage(node?.subIssues, 'the sub-issues of the parent');
      };
      return filterMarked(await collectForward(await readSubIssues(null), readSubIssues), name);
    },
    async within({ owner, name: repo }, name) {
      const key = `${owner}/${repo}`.toLowerCase();
      const remembered = repositories.get(key) ?? { byName: new Map(), since: undefined };
      repositories.set(key, remembered);
      let { since } = remembered;
      // Issues created after the last read have a later time by GitHub's clock. Issues of the same
      // second are read again.
      const filter = { ...(since === undefined ? {} : { since }), ...(await buildCreatorFilter(client)) };
      // One page at a time, because the texts use much memory.
      for (
        let page: ForwardPage<CreatedIssue> | undefined;
        page === undefined || page.pageInfo.hasNextPage;
      ) {
        const after: string | null = page?.pageInfo.endCursor ?? null;
        const variables = { owner, name: repo, filter, after };
        const callOptions = { signal: NEVER_ABORTED };
        const { repository } = await client.query<IssuesSinceQuery>(ISSUES_SINCE, variables, callOptions);
        page = readCreatedPage(repository?.issues, `the issues of ${owner}/${repo}`);
        for (const each of page.nodes) {
          remember(remembered, each);
          if (since === undefined || each.updatedAt > since) since = each.updatedAt;
        }
      }
      // Set only after the last page, so that an interrupted read is repeated.
      remembered.since = since;
      return [...(remembered.byName.get(name)?.values() ?? [])].toSorted((a, b) => a.number - b.number);
    },
  };
}

/** Throws if the response has no page, because an issue that Legion created may be on it. */
function readCreatedPage(
  page: { readonly nodes: RawNodes; readonly pageInfo: ForwardPage<CreatedIssue>['pageInfo'] } | undefined,
  description: string,
): ForwardPage<CreatedIssue> {
  if (page === undefined) throw new LegionError('github.missing', `GitHub did not return ${description}`);
  return { pageInfo: page.pageInfo, nodes: readCreatedIssues(page.nodes) };
}

type RawNodes = readonly (MadeFragment | null)[] | null | undefined;

/** Skips malformed issues, because Legion's own are never malformed. */
export function readCreatedIssues(nodes: RawNodes): readonly CreatedIssue[] {
  return (nodes ?? []).flatMap((node) => {
    const read = createdIssueAnswer.safeParse(node);
    return read.success ? [read.data] : [];
  });
}

/**
 * GitHub does not document how to filter by an app as creator, so an app's issues are searched
 * among all issues.
 */
async function buildCreatorFilter(client: GithubClient): Promise<{ createdBy?: string }> {
  const login = await client.login();
  return login.endsWith('[bot]') ? {} : { createdBy: login };
}
