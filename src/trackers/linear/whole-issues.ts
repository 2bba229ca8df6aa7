/** Issues with all that is nested in them, where more may be than came with them. */

import type {
  AllRelationsQuery,
  IssuesInFullQuery,
  RelationPartsFragment,
} from '../../integrations/linear/generated/tracker.ts';
import { relationsPage } from '../../integrations/linear/tracker/answer-schemas.ts';
import {
  ALL_RELATIONS,
  type Entries,
  entries,
  issuesInFull,
} from '../../integrations/linear/tracker/documents.ts';
import { everyPage } from '../../lib/paginate.ts';
import type { LinearClient } from '../../linear/client.ts';
import type { LinearIssue } from './linear-issue.ts';
import { requireForm, requireIssues } from './read-nodes.ts';

/** Entries of each kind, for at most so many issues at once: about 7,800 of the 10,000 points a request may cost. */
const STEPS = [
  { nested: entries(50), issues: 20 },
  // What Linear gives at most.
  { nested: entries(250), issues: 4 },
] as const;

/** Rejects where one does not have the form of an issue. `had` is what was asked for with each. Those asked for once more come last; one that is gone meanwhile is left out. */
export async function wholeIssues(
  client: LinearClient,
  answers: readonly LinearIssue[],
  had: Entries,
  signal: AbortSignal,
): Promise<readonly LinearIssue[]> {
  const read = requireIssues(answers);
  const whole = read.filter((answer) => isWhole(answer, had));
  let others = read.filter((answer) => !isWhole(answer, had));
  for (const { nested, issues } of STEPS) {
    const found: LinearIssue[] = [];
    for (let from = 0; from < others.length; from += issues) {
      const ids = others.slice(from, from + issues).map(({ id }) => id);
      const variables = { filter: { id: { in: ids } } };
      const answer = await client.query<IssuesInFullQuery>(issuesInFull(ids.length, nested), variables, {
        signal,
      });
      found.push(...requireIssues(answer.issues.nodes));
    }
    whole.push(...found.filter((answer) => isWhole(answer, nested)));
    others = found.filter((answer) => !isWhole(answer, nested));
  }
  // No issue has more labels than that, and whoever looks for an address does not look behind 250 others.
  for (const answer of others)
    whole.push({ ...answer, inverseRelations: { nodes: await allRelations(client, answer, signal) } });
  return whole;
}

export function isWhole({ labels, attachments, inverseRelations }: LinearIssue, had: Entries): boolean {
  return (
    labels.nodes.length < had.labels &&
    attachments.nodes.length < had.attachments &&
    inverseRelations.nodes.length < had.relations
  );
}

function allRelations(
  client: LinearClient,
  { id }: LinearIssue,
  signal: AbortSignal,
): Promise<readonly RelationPartsFragment[]> {
  return everyPage(async (after) => {
    const { issue } = await client.query<AllRelationsQuery>(ALL_RELATIONS, { id, after }, { signal });
    return requireForm(relationsPage, issue.inverseRelations, 'relations');
  });
}
