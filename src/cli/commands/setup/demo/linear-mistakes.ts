/** Checks at the end of a demo that Linear itself shows the expected states, comments and links. */

import { type ColumnNames, readStatus } from '../../../../core/model/status.ts';
import type { DemoGithub } from '../../../../demo/options.ts';
import type { LinearClient } from '../../../../integrations/linear/client/client.ts';
import { findPullRequestNumbers } from '../../../../integrations/tracker-support/pull-request-address.ts';
import { waitFor } from '../../../wait-for.ts';
import type { DemoShownQuery } from './generated/linear-documents.generated.ts';

/** A comment that the person wrote in Linear. */
export interface PersonComment {
  readonly issue: string;
  readonly text: string;
}

export interface ExpectedBoard {
  /** UUIDs of the issues, by identifier. */
  readonly issues: ReadonlyMap<string, string>;
  readonly personComments: readonly PersonComment[];
  readonly names: ColumnNames;
  /** Set if the pull requests are on GitHub and therefore have URLs. */
  readonly github: DemoGithub | undefined;
}

/**
 * How long to wait for pull request links. The reconcile pass adds them every 2 s, and Linear may
 * need more time to show them.
 */
const MAX_SHOW_DELAY_MS = 15_000;
const SHOW_POLL_MS = 500;

export async function findLinearMistakes(
  client: LinearClient,
  expected: ExpectedBoard,
  signal: AbortSignal,
): Promise<readonly string[]> {
  let last: readonly string[] = [];
  const check = async () => {
    last = await readLinearMistakes(client, expected, signal);
    return last.length === 0 ? last : undefined;
  };
  await waitFor(check, { everyMs: SHOW_POLL_MS, boundMs: MAX_SHOW_DELAY_MS, signal });
  return last;
}

/** Six issues with their comments and links stay far below the cost limit of one request. */
export const SHOWN_ISSUES_QUERY = `
query DemoShown($ids: [ID!]!) {
  issues(first: 20, filter: { id: { in: $ids } }, includeArchived: true) {
    nodes {
      identifier state { name type }
      comments(first: 50) { nodes { body } }
      attachments(first: 20) { nodes { url } }
    }
  }
}`;

type ShownIssue = DemoShownQuery['issues']['nodes'][number];

async function readLinearMistakes(
  client: LinearClient,
  expected: ExpectedBoard,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const ids = [...expected.issues.values()];
  const { issues } = await client.query<DemoShownQuery>(SHOWN_ISSUES_QUERY, { ids }, { signal });
  const byIdentifier = new Map(issues.nodes.map((issue) => [issue.identifier, issue]));
  return [...expected.issues.keys()].flatMap((id) => {
    const issue = byIdentifier.get(id);
    return issue === undefined ? [`${id} no longer exists in Linear`] : findIssueMistakes(issue, expected);
  });
}

function findIssueMistakes(
  { identifier, state, comments, attachments }: ShownIssue,
  expected: ExpectedBoard,
): string[] {
  const { personComments, names, github } = expected;
  const isDone = state.type === 'completed' && readStatus(state.name, names) === 'Done';
  const words = Map.groupBy(
    personComments.filter(({ issue }) => issue === identifier),
    ({ text }) => text,
  );
  const miscounted = [...words].filter(
    ([text, times]) =>
      comments.nodes.filter(({ body }) => body.trim() === text.trim()).length !== times.length,
  );
  return [
    ...(isDone ? [] : [`${identifier} is in the Linear state ${state.name}, not in Done`]),
    ...miscounted.map(
      ([text]) => `${identifier} does not show this comment exactly as many times as you wrote it: ${text}`,
    ),
    ...(github === undefined ? [] : findLinkMistakes(identifier, attachments.nodes, github)),
  ];
}

function findLinkMistakes(
  identifier: string,
  links: readonly { readonly url: string }[],
  { url: web, repo }: DemoGithub,
): string[] {
  const [owner = '', name = ''] = repo.split('/');
  const addresses = links.map(({ url }) => url);
  const numbers = findPullRequestNumbers(addresses, web, { owner, name });
  return numbers.length === 1
    ? []
    : [`${identifier} shows ${numbers.length} pull requests of ${repo}, expected one`];
}
