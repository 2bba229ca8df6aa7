/** Reads issues so that one that Linear refuses to show is found and does not hide the others. */

import type { IssuesInFullQuery, LeanIssueQuery } from '../../integrations/linear/generated/tracker.ts';
import { leanIssueAnswer } from '../../integrations/linear/tracker/answer-schemas.ts';
import { entries, issuesInFull, LEAN_ISSUE } from '../../integrations/linear/tracker/documents.ts';
import { isRefusal, isUnavailable, readIsolated } from '../../lib/read-isolated.ts';
import type { LinearClient } from '../../linear/client.ts';
import type { LinearIssue } from './linear-issue.ts';
import { nameOf, requireForm } from './read-nodes.ts';
import { wholeIssues } from './whole-issues.ts';

/** Entries of each kind for so many issues: about 7,800 of the 10,000 points a request may cost. */
const NESTED = entries(50);
const BATCH = 20;

export interface ApartReading {
  /** By their ids; those that were refused have a reason, and nothing that they refer to. */
  readonly issues: ReadonlyMap<string, LinearIssue>;
  /** Why nothing at all could be read of some, by their ids. */
  readonly missing: ReadonlyMap<string, string>;
}

interface Suspicion {
  /** Issues that were refused before, and are asked for one by one. */
  readonly suspects: ReadonlySet<string>;
  /** Whether Linear failed again and again, so that one issue may be the cause of that, too. */
  readonly isPersistent: boolean;
}

export async function readApart(
  client: LinearClient,
  ids: readonly string[],
  { suspects, isPersistent }: Suspicion,
  signal: AbortSignal,
): Promise<ApartReading> {
  const issues = new Map<string, LinearIssue>();
  const refused = new Map<string, string>();
  const missing = new Map<string, string>();

  async function ask(some: readonly string[]): Promise<void> {
    const variables = { filter: { id: { in: some } } };
    const answer = await client.query<IssuesInFullQuery>(issuesInFull(some.length, NESTED), variables, {
      signal,
    });
    for (const issue of await wholeIssues(client, answer.issues.nodes, NESTED, signal))
      issues.set(issue.id, issue);
  }

  const refuse = (id: string, { message }: Error) => refused.set(id, message);
  const good = ids.filter((id) => !suspects.has(id));
  const odd = ids.filter((id) => suspects.has(id));
  await readIsolated({ items: good, batch: BATCH, read: ask, refuse, isPersistent });
  await readIsolated({ items: odd, batch: 1, read: ask, refuse, isPersistent });
  for (const [id, reason] of refused) {
    const lean = await readLean(client, id, isPersistent, signal);
    if (lean === undefined) missing.set(id, reason);
    else issues.set(id, { ...lean, refused: reason });
  }
  return { issues, missing };
}

async function readLean(
  client: LinearClient,
  id: string,
  isPersistent: boolean,
  signal: AbortSignal,
): Promise<LinearIssue | undefined> {
  try {
    const { issues } = await client.query<LeanIssueQuery>(
      LEAN_ISSUE,
      { filter: { id: { in: [id] } } },
      { signal },
    );
    const [issue] = issues.nodes;
    if (issue === undefined) return undefined;
    return { ...NOTHING_REFERRED_TO, ...requireForm(leanIssueAnswer, issue, nameOf(issue)) };
  } catch (error) {
    if (isRefusal(error) || (isPersistent && isUnavailable(error))) return undefined;
    throw error;
  }
}

const NOTHING_REFERRED_TO = {
  creator: null,
  externalUserCreator: null,
  asksExternalUserRequester: null,
  botActor: null,
  parent: null,
  project: null,
  assignee: null,
  oneEnd: { nodes: [] },
  otherEnd: { nodes: [] },
  attachments: { nodes: [] },
  inverseRelations: { nodes: [] },
} as const;
