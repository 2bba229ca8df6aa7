/** Issues with all that is nested in them, where more may be than came with them. */

import { everyPage, type Page } from '../../lib/paginate.ts';
import type { LinearClient } from '../../linear/client.ts';
import { relationsPage } from './answer-schemas.ts';
import type { IssueAnswer, RelationAnswer } from './answers.ts';
import { ALL_RELATIONS, type Entries, entries, issuesInFull } from './read-documents.ts';
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
  answers: readonly IssueAnswer[],
  had: Entries,
  signal: AbortSignal,
): Promise<readonly IssueAnswer[]> {
  const read = requireIssues(answers);
  const whole = read.filter((answer) => isWhole(answer, had));
  let others = read.filter((answer) => !isWhole(answer, had));
  for (const { nested, issues } of STEPS) {
    const found: IssueAnswer[] = [];
    for (let from = 0; from < others.length; from += issues) {
      const ids = others.slice(from, from + issues).map(({ id }) => id);
      const variables = { filter: { id: { in: ids } } };
      type Answer = { readonly issues: { readonly nodes: readonly IssueAnswer[] } };
      const answer = await client.query<Answer>(issuesInFull(ids.length, nested), variables, { signal });
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

export function isWhole({ labels, attachments, inverseRelations }: IssueAnswer, had: Entries): boolean {
  return (
    labels.nodes.length < had.labels &&
    attachments.nodes.length < had.attachments &&
    inverseRelations.nodes.length < had.relations
  );
}

function allRelations(
  client: LinearClient,
  { id }: IssueAnswer,
  signal: AbortSignal,
): Promise<readonly RelationAnswer[]> {
  return everyPage(async (after) => {
    type Answer = { readonly issue: { readonly inverseRelations: Page<RelationAnswer> } };
    const { issue } = await client.query<Answer>(ALL_RELATIONS, { id, after }, { signal });
    return requireForm(relationsPage, issue.inverseRelations, 'relations');
  });
}
