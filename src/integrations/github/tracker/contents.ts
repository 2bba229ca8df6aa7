/** What the issues of the boards say: kept as it was read, and read again where a head shows that it has changed. */

import type { FaultCode } from '../../../core/model/fault.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { IssueProblem } from '../../../domain/issue.ts';
import type { GithubClient } from '../../../github/client.ts';
import type { LabelAnswer } from '../../../github/label-steps.ts';
import { throwUnavailable } from '../../../github/refusals.ts';
import { isSettled } from '../../../github/time.ts';
import { allForward, type Page } from '../../../lib/paginate.ts';
import { isUnavailable, readIsolated } from '../../../lib/read-isolated.ts';
import { unwrap } from '../../../lib/result.ts';
import { malformed, outOfRange, refused, unavailable } from '../../../trackers/github/issue-problems.ts';
import { namedBlockers } from '../../../trackers/github/named-blockers.ts';
import { type GithubIssue, readIssueAnswer, readLabels } from '../../../trackers/github/read-answer.ts';
import type { IssueHead } from '../../../trackers/github/read-item.ts';
import type { IssuePlace } from '../client/issue-reference.ts';
import type { IssuePartsFragment, IssuesInFullQuery, MoreLabelsQuery } from '../generated/tracker.ts';
import { ISSUES_IN_FULL, MORE_LABELS, PAGE } from './documents.ts';

export interface Content {
  readonly answer: GithubIssue;
  readonly place: IssuePlace;
  readonly labels: readonly LabelAnswer[];
  /** Blockers its text names. */
  readonly named: readonly IssuePlace[];
  /** What could not be read of it. */
  readonly problems: readonly IssueProblem[];
  /** Whether every later change will show in its time of change. */
  readonly isSettled: boolean;
}

export interface Contents {
  of(node: string): Content | undefined;
  /** Takes in what was read whole. */
  keep(answers: readonly IssuePartsFragment[], signal: AbortSignal): Promise<void>;
  /** Reads what is not known as these heads have it, a hundred a request. Those that are gone meanwhile are forgotten. */
  refresh(heads: readonly IssueHead[], signal: AbortSignal): Promise<void>;
  /** It stays as it was last read, with the reason why that is not what it is now. */
  refuse(node: string, reason: string, code?: FaultCode): void;
  /** Why those are missing that were refused before they were ever read. */
  missing(): readonly string[];
  /** Forgets what is on no board any more. */
  retain(nodes: ReadonlySet<string>): void;
}

export function openContents(client: GithubClient, clock: Pick<Clock, 'now'>): Contents {
  const contents = new Map<string, Content>();
  const missing = new Map<string, string>();
  /** Looks in a row that failed because GitHub was unavailable, or had to leave an issue out for that. */
  let failures = 0;

  function refuse(node: string, reason: string, code?: FaultCode): void {
    const known = contents.get(node);
    const problem = code === 'github.unavailable' ? unavailable(reason) : refused(reason);
    if (known === undefined) missing.set(node, reason);
    else contents.set(node, { ...known, isSettled: false, problems: [problem] });
  }

  async function keepOne(answer: IssuePartsFragment, signal: AbortSignal): Promise<void> {
    const content = await contentOf(client, answer, clock.now(), signal);
    missing.delete(answer.id);
    contents.set(answer.id, content);
  }

  async function keep(answers: readonly IssuePartsFragment[], signal: AbortSignal): Promise<void> {
    await readIsolated({
      items: answers,
      batch: 1,
      read: async ([answer]) => answer && keepOne(answer, signal),
      refuse: ({ id }, { message }) => refuse(id, message),
    });
  }

  async function ask(ids: readonly string[], signal: AbortSignal): Promise<void> {
    const { data, refusals } = await client.queryPartially<IssuesInFullQuery>(
      ISSUES_IN_FULL,
      { ids },
      { signal },
    );
    throwUnavailable(refusals);
    const read: IssuePartsFragment[] = [];
    for (const [index, id] of ids.entries()) {
      const node = data.nodes[index];
      const refusal = refusals.find(({ path, code }) => path[1] === index && code !== 'github.missing');
      // Without labels or dates it would look like another issue; without its parent it does not.
      if (refusal !== undefined && refusal.path[2] !== 'parent') refuse(id, refusal.message);
      else if (!isIssue(node)) forget(id);
      else read.push(node);
    }
    await keep(read, signal);
  }

  function forget(node: string): void {
    contents.delete(node);
    missing.delete(node);
  }

  return {
    of: (node) => contents.get(node),
    keep,
    refuse,
    missing: () => [...missing.values()],
    async refresh(heads, signal) {
      const changed = [...new Map(heads.map((head) => [head.id, head])).values()]
        .filter(({ id, updatedAt }) => !isAsKnown(contents.get(id), updatedAt))
        .map(({ id }) => id);
      const isPersistent = failures > 0;
      let isLeftOut = false;
      try {
        await readIsolated({
          items: changed,
          batch: PAGE,
          read: (ids) => ask(ids, signal),
          isPersistent,
          refuse: (id, error) => {
            isLeftOut ||= isUnavailable(error);
            refuse(id, error.message, error.code);
          },
        });
        if (!isLeftOut) failures = 0;
      } catch (error) {
        // The next look then finds out whether one issue is the cause.
        if (isUnavailable(error)) failures += 1;
        throw error;
      }
    },
    retain(nodes) {
      for (const node of [...contents.keys(), ...missing.keys()]) if (!nodes.has(node)) forget(node);
    },
  };
}

/** Rejects with `input.invalid` where the answer does not have the form of an issue. */
export async function contentOf(
  client: GithubClient,
  raw: IssuePartsFragment,
  readAt: number,
  signal: AbortSignal,
): Promise<Content> {
  const { answer, oddities } = unwrap(readIssueAnswer(raw));
  const { repository, number, body } = answer;
  const place = { owner: repository.owner.login, repo: repository.name, number };
  const { places, impossible } = namedBlockers(body, place);
  return {
    answer,
    place,
    labels: await allLabels(client, answer, signal),
    named: places,
    problems: [...oddities.map(malformed), ...impossible.map(outOfRange)],
    isSettled: isSettled(answer.updatedAt, readAt),
  };
}

/** GitHub answers with null or with an empty object for a node that is gone or is not an issue. */
export function isIssue(node: IssuesInFullQuery['nodes'][number] | undefined): node is IssuePartsFragment {
  return node?.id !== undefined;
}

function isAsKnown(known: Content | undefined, updatedAt: string): boolean {
  return known?.isSettled === true && known.answer.updatedAt === updatedAt;
}

async function allLabels(
  client: GithubClient,
  { id, labels }: GithubIssue,
  signal: AbortSignal,
): Promise<readonly LabelAnswer[]> {
  if (labels === null) return [];
  return allForward(labels, async (after) => {
    const answer = await client.query<MoreLabelsQuery>(MORE_LABELS, { id, after }, { signal });
    return unwrap(readLabels(answer.node?.labels ?? null)) ?? NO_LABELS;
  });
}

const NO_LABELS: Page<LabelAnswer> = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };
