/** Finding the issues Legion has made, by the key each was made for: GitHub has no keys of ours. */

import type { z } from 'zod';
import { LegionError } from '../../../core/model/fault.ts';
import type { GithubClient } from '../../../github/client.ts';
import { type IsLegion, ownMark } from '../../../github/own-mark.ts';
import { NEVER_ABORTED } from '../../../lib/async/never-aborted.ts';
import { allForward, type Page } from '../../../lib/paginate.ts';
import { madeAnswer } from '../../../trackers/github/answer-schemas.ts';
import type { IssuesSinceQuery, MadeFragment, SubIssuesQuery } from '../generated/tracker.ts';
import { ISSUES_SINCE, SUB_ISSUES } from './documents.ts';

export type Made = z.output<typeof madeAnswer>;

export interface MadeIssues {
  /** Those that have a parent are all below it. */
  below(parent: string, name: string): Promise<readonly Made[]>;
  /** The others are looked for in their whole repository, once; after that, among what has changed since. */
  within(
    repository: { readonly owner: string; readonly name: string },
    name: string,
  ): Promise<readonly Made[]>;
  /** Those of `made` that carry this mark by Legion's own hand, the first first. */
  marked(made: readonly Made[], name: string): readonly Made[];
}

interface Remembered {
  /** Without their texts: a repository may have thousands. */
  readonly byName: Map<string, Map<string, Made>>;
  since: string | undefined;
}

export function openMadeIssues(client: GithubClient, isLegion: IsLegion): MadeIssues {
  const repositories = new Map<string, Remembered>();

  function marked(made: readonly Made[], name: string): readonly Made[] {
    return made.filter((each) => ownMark(each, isLegion) === name).toSorted((a, b) => a.number - b.number);
  }

  function remember({ byName }: Remembered, made: Made): void {
    const name = ownMark(made, isLegion);
    if (name === undefined) return;
    const same = byName.get(name) ?? new Map<string, Made>();
    byName.set(name, same.set(made.id, { ...made, body: '' }));
  }

  return {
    marked,
    async below(parent, name) {
      const page = async (after: string | null) => {
        const variables = { id: parent, after };
        const { node } = await client.query<SubIssuesQuery>(SUB_ISSUES, variables, { signal: NEVER_ABORTED });
        return readMadePage(node?.subIssues, 'the sub-issues of the parent');
      };
      return marked(await allForward(await page(null), page), name);
    },
    async within({ owner, name: repo }, name) {
      const key = `${owner}/${repo}`.toLowerCase();
      const remembered = repositories.get(key) ?? { byName: new Map(), since: undefined };
      repositories.set(key, remembered);
      let { since } = remembered;
      // What is made later has a later time, by GitHub's own clock; that of one second is looked at again.
      const filter = { ...(since === undefined ? {} : { since }), ...(await createdBy(client)) };
      // A page at a time, because of their texts.
      for (let page: Page<Made> | undefined; page === undefined || page.pageInfo.hasNextPage; ) {
        const after: string | null = page?.pageInfo.endCursor ?? null;
        const variables = { owner, name: repo, filter, after };
        const how = { signal: NEVER_ABORTED };
        const { repository } = await client.query<IssuesSinceQuery>(ISSUES_SINCE, variables, how);
        page = readMadePage(repository?.issues, `the issues of ${owner}/${repo}`);
        for (const each of page.nodes) {
          remember(remembered, each);
          if (since === undefined || each.updatedAt > since) since = each.updatedAt;
        }
      }
      // Only after the last page: what broke off half-way is read again.
      remembered.since = since;
      return [...(remembered.byName.get(name)?.values() ?? [])].toSorted((a, b) => a.number - b.number);
    },
  };
}

/** Rejects where there is no page: an issue that Legion has made may be on it. */
function readMadePage(
  page: { readonly nodes: RawNodes; readonly pageInfo: Page<Made>['pageInfo'] } | undefined,
  what: string,
): Page<Made> {
  if (page === undefined) throw new LegionError('github.missing', `GitHub does not show ${what}`);
  return { pageInfo: page.pageInfo, nodes: readMade(page.nodes) };
}

type RawNodes = readonly (MadeFragment | null)[] | null | undefined;

/** A malformed issue is nobody's, and never Legion's. */
export function readMade(nodes: RawNodes): readonly Made[] {
  return (nodes ?? []).flatMap((node) => {
    const read = madeAnswer.safeParse(node);
    return read.success ? [read.data] : [];
  });
}

/** How GitHub's filter calls an app is not documented, so its issues are found among everybody's. */
async function createdBy(client: GithubClient): Promise<{ createdBy?: string }> {
  const login = await client.login();
  return login.endsWith('[bot]') ? {} : { createdBy: login };
}
