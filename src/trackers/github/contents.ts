/** What the issues of the boards say: kept as it was read, and read again where a head shows that it has changed. */

import { allForward, type Page } from '../../asking/pages.ts';
import type { Clock } from '../../domain/clock.ts';
import type { GithubClient } from '../../github/client.ts';
import type { IssuePlace } from '../../github/issue-place.ts';
import type { LabelAnswer } from '../../github/label-steps.ts';
import { isSettled } from '../../github/time.ts';
import type { IssueAnswer, IssueHead } from './answers.ts';
import { namedBlockers } from './named-blockers.ts';
import { ISSUES_IN_FULL, MORE_LABELS, PAGE } from './read-documents.ts';

export interface Content {
  readonly answer: IssueAnswer;
  readonly place: IssuePlace;
  readonly labels: readonly LabelAnswer[];
  /** Blockers its text names. */
  readonly named: readonly IssuePlace[];
  /** Whether every later change will show in its time of change. */
  readonly isSettled: boolean;
}

export interface Contents {
  of(node: string): Content | undefined;
  /** Takes in what was read whole. */
  keep(answers: readonly IssueAnswer[], signal: AbortSignal): Promise<void>;
  /** Reads what is not known as these heads have it, a hundred a request. Those that are gone meanwhile are forgotten. */
  refresh(heads: readonly IssueHead[], signal: AbortSignal): Promise<void>;
  /** Forgets what is on no board any more. */
  retain(nodes: ReadonlySet<string>): void;
}

export function openContents(client: GithubClient, clock: Pick<Clock, 'now'>): Contents {
  const contents = new Map<string, Content>();

  async function keep(answers: readonly IssueAnswer[], signal: AbortSignal): Promise<void> {
    const readAt = clock.now();
    for (const answer of answers) contents.set(answer.id, await contentOf(client, answer, readAt, signal));
  }

  return {
    of: (node) => contents.get(node),
    keep,
    async refresh(heads, signal) {
      const changed = [...new Map(heads.map((head) => [head.id, head])).values()]
        .filter(({ id, updatedAt }) => !isAsKnown(contents.get(id), updatedAt))
        .map(({ id }) => id);
      for (let from = 0; from < changed.length; from += PAGE) {
        const ids = changed.slice(from, from + PAGE);
        const how = { signal, tolerates: ['NOT_FOUND'] };
        const { nodes } = await client.query<Nodes>(ISSUES_IN_FULL, { ids }, how);
        for (const id of ids) contents.delete(id);
        await keep(
          nodes.filter((node): node is IssueAnswer => node?.id !== undefined),
          signal,
        );
      }
    },
    retain(nodes) {
      for (const node of contents.keys()) if (!nodes.has(node)) contents.delete(node);
    },
  };
}

export async function contentOf(
  client: GithubClient,
  answer: IssueAnswer,
  readAt: number,
  signal: AbortSignal,
): Promise<Content> {
  const { repository, number, body } = answer;
  const place = { owner: repository.owner.login, repo: repository.name, number };
  const labels = await allLabels(client, answer, signal);
  const settled = isSettled(answer.updatedAt, readAt);
  return { answer, place, labels, named: namedBlockers(body, place), isSettled: settled };
}

interface Nodes {
  readonly nodes: readonly (IssueAnswer | { readonly id?: undefined } | null)[];
}

function isAsKnown(known: Content | undefined, updatedAt: string): boolean {
  return known?.isSettled === true && known.answer.updatedAt === updatedAt;
}

async function allLabels(
  client: GithubClient,
  { id, labels }: IssueAnswer,
  signal: AbortSignal,
): Promise<readonly LabelAnswer[]> {
  if (labels === null) return [];
  return allForward(labels, async (after) => {
    type Answer = { readonly node: Pick<IssueAnswer, 'labels'> };
    const answer = await client.query<Answer>(MORE_LABELS, { id, after }, { signal });
    return answer.node.labels ?? NO_LABELS;
  });
}

const NO_LABELS: Page<LabelAnswer> = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };
