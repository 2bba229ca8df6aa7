/** What Linear shows at the end of a demo that is not as it should be: asked of Linear itself, and not of the daemon. */

import { type ColumnNames, readStatus } from '../../../../core/model/status.ts';
import type { DemoGithub } from '../../../../demo/on-github.ts';
import { pullRequestsIn } from '../../../../integrations/tracker-support/pull-request-address.ts';
import type { LinearClient } from '../../../../linear/client.ts';
import { waitFor } from '../../../wait-for.ts';
import type { DemoShownQuery } from './generated/linear-documents.generated.ts';

/** Something the person said there. */
export interface Said {
  readonly issue: string;
  readonly text: string;
}

export interface Expected {
  /** UUIDs by identifier. */
  readonly issues: ReadonlyMap<string, string>;
  readonly said: readonly Said[];
  readonly names: ColumnNames;
  /** Where pull requests have addresses. */
  readonly github: DemoGithub | undefined;
}

/** A pull request is shown with a look at the board, which comes every two seconds; Linear may take its time. */
const SHOWN_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 500;

export async function linearComplaints(
  client: LinearClient,
  expected: Expected,
  signal: AbortSignal,
): Promise<readonly string[]> {
  let last: readonly string[] = [];
  const look = async () => {
    last = await complaintsNow(client, expected, signal);
    return last.length === 0 ? last : undefined;
  };
  await waitFor(look, { everyMs: LOOK_EVERY_MS, boundMs: SHOWN_WITHIN_MS, signal });
  return last;
}

/** Six issues with what they have: far below what one request may cost. */
export const SHOWN = `
query DemoShown($ids: [ID!]!) {
  issues(first: 20, filter: { id: { in: $ids } }, includeArchived: true) {
    nodes {
      identifier state { name type }
      comments(first: 50) { nodes { body } }
      attachments(first: 20) { nodes { url } }
    }
  }
}`;

type Shown = DemoShownQuery['issues']['nodes'][number];

async function complaintsNow(
  client: LinearClient,
  expected: Expected,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const ids = [...expected.issues.values()];
  const { issues } = await client.query<DemoShownQuery>(SHOWN, { ids }, { signal });
  const shown = new Map(issues.nodes.map((issue) => [issue.identifier, issue]));
  return [...expected.issues.keys()].flatMap((id) => {
    const issue = shown.get(id);
    return issue === undefined ? [`${id} is not in Linear any more`] : complaintsOf(issue, expected);
  });
}

function complaintsOf({ identifier, state, comments, attachments }: Shown, expected: Expected): string[] {
  const { said, names, github } = expected;
  const isDone = state.type === 'completed' && readStatus(state.name, names) === 'Done';
  const words = Map.groupBy(
    said.filter(({ issue }) => issue === identifier),
    ({ text }) => text,
  );
  const miscounted = [...words].filter(
    ([text, times]) =>
      comments.nodes.filter(({ body }) => body.trim() === text.trim()).length !== times.length,
  );
  return [
    ...(isDone ? [] : [`${identifier} is in the state ${state.name} of Linear`]),
    ...miscounted.map(
      ([text]) => `${identifier} does not show what you said there as often as you did: ${text}`,
    ),
    ...(github === undefined ? [] : complaintsOfLinks(identifier, attachments.nodes, github)),
  ];
}

function complaintsOfLinks(
  identifier: string,
  links: readonly { readonly url: string }[],
  { url: web, repo }: DemoGithub,
): string[] {
  const [owner = '', name = ''] = repo.split('/');
  const addresses = links.map(({ url }) => url);
  const shown = pullRequestsIn(addresses, web, { owner, name });
  return shown.length === 1
    ? []
    : [`${identifier} shows ${shown.length} pull requests of ${repo}, instead of one`];
}
