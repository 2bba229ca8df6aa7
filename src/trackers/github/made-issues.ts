/** Finding the issues Legion has made, by the key each was made for: GitHub has no keys of ours. */

import type { Actor } from '../../github/actor.ts';
import type { GithubClient } from '../../github/client.ts';
import { type IsLegion, ownMark } from '../../github/own-mark.ts';
import { NEVER_ABORTED } from '../../lib/async/never-aborted.ts';
import { allForward, type Page } from '../../lib/paginate.ts';
import type { RepositoryAnswer } from './answers.ts';
import { ISSUES_SINCE, SUB_ISSUES } from './read-documents.ts';

export interface Made {
  readonly id: string;
  readonly number: number;
  readonly body: string;
  readonly updatedAt: string;
  readonly author: Actor | null;
  readonly repository: RepositoryAnswer;
}

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
        type Answer = { readonly node: { readonly subIssues: Page<Made> } };
        const how = { signal: NEVER_ABORTED };
        return (await client.query<Answer>(SUB_ISSUES, { id: parent, after }, how)).node.subIssues;
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
        type Answer = { readonly repository: { readonly issues: Page<Made> } };
        page = (await client.query<Answer>(ISSUES_SINCE, variables, how)).repository.issues;
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

/** How GitHub's filter calls an app is not documented, so its issues are found among everybody's. */
async function createdBy(client: GithubClient): Promise<{ createdBy?: string }> {
  const login = await client.login();
  return login.endsWith('[bot]') ? {} : { createdBy: login };
}
