/**
 * Reads issues with complete nested lists, validates Linear's responses, and isolates issues that
 * Linear refuses to return.
 */

import type { z } from 'zod';
import { decode } from '../../../core/model/decode.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { collectPages } from '../../../lib/paginate.ts';
import { isRefusal, isUnavailable, readIsolated } from '../../../lib/read-isolated.ts';
import type { LinearClient } from '../client/client.ts';
import type {
  AllRelationsQuery,
  IssuesInFullQuery,
  LeanIssueQuery,
  RelationPartsFragment,
} from '../generated/tracker.ts';
import { issueAnswer, type LinearIssue, leanIssueAnswer, relationsPage } from './answer-schemas.ts';
import {
  ALL_RELATIONS,
  buildIssuesInFullQuery,
  createNestedCounts,
  LEAN_ISSUE,
  type NestedCounts,
} from './documents.ts';

/**
 * Entries per nested list and issues per request. Each step costs about 7,800 of the 10,000 points
 * that a request may cost.
 */
const STEPS = [
  { nested: createNestedCounts(50), issues: 20 },
  // 250 is Linear's maximum.
  { nested: createNestedCounts(250), issues: 4 },
] as const;

/**
 * Completes issues whose nested lists were truncated, and throws if one is malformed. `requested`
 * are the list sizes that were requested for each issue. Issues that were read again come last;
 * deleted ones are left out.
 */
export async function readWholeIssues(
  client: LinearClient,
  answers: readonly LinearIssue[],
  requested: NestedCounts,
  signal: AbortSignal,
): Promise<readonly LinearIssue[]> {
  const read = requireIssues(answers);
  const whole = read.filter((answer) => isWhole(answer, requested));
  let others = read.filter((answer) => !isWhole(answer, requested));
  for (const { nested, issues } of STEPS) {
    const results: LinearIssue[] = [];
    for (let from = 0; from < others.length; from += issues) {
      const ids = others.slice(from, from + issues).map(({ id }) => id);
      const variables = { filter: { id: { in: ids } } };
      const answer = await client.query<IssuesInFullQuery>(
        buildIssuesInFullQuery(ids.length, nested),
        variables,
        {
          signal,
        },
      );
      results.push(...requireIssues(answer.issues.nodes));
    }
    whole.push(...results.filter((answer) => isWhole(answer, nested)));
    others = results.filter((answer) => !isWhole(answer, nested));
  }
  // No issue has more than 250 labels, and attachments beyond the first 250 are not needed.
  for (const answer of others)
    whole.push({ ...answer, inverseRelations: { nodes: await readAllRelations(client, answer, signal) } });
  return whole;
}

export function isWhole(
  { labels, attachments, inverseRelations }: LinearIssue,
  requested: NestedCounts,
): boolean {
  return (
    labels.nodes.length < requested.labels &&
    attachments.nodes.length < requested.attachments &&
    inverseRelations.nodes.length < requested.relations
  );
}

function readAllRelations(
  client: LinearClient,
  { id }: LinearIssue,
  signal: AbortSignal,
): Promise<readonly RelationPartsFragment[]> {
  return collectPages(async (after) => {
    const { issue } = await client.query<AllRelationsQuery>(ALL_RELATIONS, { id, after }, { signal });
    return requireForm(relationsPage, issue.inverseRelations, 'relations');
  });
}

/**
 * Throws `linear.refused` if an issue is malformed, as if Linear had refused to show the issue. The
 * caller then reads the issues separately.
 */
export function requireIssues(nodes: readonly unknown[]): readonly LinearIssue[] {
  return nodes.map((node) => requireForm(issueAnswer, node, describeRawIssue(node)));
}

export function requireForm<T>(schema: z.ZodType<T>, value: unknown, subject: string): T {
  const read = decode(schema, value, subject);
  if (!read.ok)
    throw new LegionError('linear.refused', `Linear’s response is malformed: ${read.fault.message}`);
  return read.value;
}

export interface ReadNodesResult<T> {
  readonly nodes: readonly T[];
  /** One error per malformed node. Such nodes are left out. */
  readonly problems: readonly string[];
}

export function readNodes<T>(
  schema: z.ZodType<T>,
  nodes: readonly unknown[],
  subject: string,
): ReadNodesResult<T> {
  const read = nodes.map((node) => decode(schema, node, subject));
  return {
    nodes: read.flatMap((each) => (each.ok ? [each.value] : [])),
    problems: read.flatMap((each) => (each.ok ? [] : [each.fault.message])),
  };
}

/** Returns the issue's identifier if it is readable. */
function describeRawIssue(node: unknown): string {
  const { identifier } = (node ?? {}) as Partial<LinearIssue>;
  return typeof identifier === 'string' && /^\w{1,50}-\d{1,10}$/.test(identifier) ? identifier : 'issue';
}

/**
 * Entries per nested list. A batch of issues costs about 7,800 of the 10,000 points that a request
 * may cost.
 */
const NESTED = createNestedCounts(50);
const BATCH = 20;

export interface IsolatedReadResult {
  /**
   * Issues by id. An issue that Linear refused to return in full has the reason, but none of the
   * objects it refers to.
   */
  readonly issues: ReadonlyMap<string, LinearIssue>;
  /** Reasons why issues could not be read at all, by issue id. */
  readonly missing: ReadonlyMap<string, string>;
}

interface IsolatedReadOptions {
  /** Issues that Linear refused to return earlier. They are read one by one. */
  readonly suspects: ReadonlySet<string>;
  /**
   * True if Linear failed repeatedly. A single issue may then be the cause, even if Linear reports
   * itself as unavailable.
   */
  readonly isPersistent: boolean;
}

/** Reads issues in batches and isolates those that Linear refuses to return. */
export async function readIssuesIsolated(
  client: LinearClient,
  ids: readonly string[],
  { suspects, isPersistent }: IsolatedReadOptions,
  signal: AbortSignal,
): Promise<IsolatedReadResult> {
  const issues = new Map<string, LinearIssue>();
  const refused = new Map<string, string>();
  const missing = new Map<string, string>();

  async function readBatch(batch: readonly string[]): Promise<void> {
    const variables = { filter: { id: { in: batch } } };
    const answer = await client.query<IssuesInFullQuery>(
      buildIssuesInFullQuery(batch.length, NESTED),
      variables,
      {
        signal,
      },
    );
    for (const issue of await readWholeIssues(client, answer.issues.nodes, NESTED, signal))
      issues.set(issue.id, issue);
  }

  const refuse = (id: string, { message }: Error) => refused.set(id, message);
  const good = ids.filter((id) => !suspects.has(id));
  const suspectIds = ids.filter((id) => suspects.has(id));
  await readIsolated({ items: good, batch: BATCH, read: readBatch, refuse, isPersistent });
  await readIsolated({ items: suspectIds, batch: 1, read: readBatch, refuse, isPersistent });
  for (const [id, reason] of refused) {
    const lean = await readLeanIssue(client, id, isPersistent, signal);
    if (lean === undefined) missing.set(id, reason);
    else issues.set(id, { ...lean, refused: reason });
  }
  return { issues, missing };
}

async function readLeanIssue(
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
    return { ...NO_REFERENCES, ...requireForm(leanIssueAnswer, issue, describeRawIssue(issue)) };
  } catch (error) {
    if (isRefusal(error) || (isPersistent && isUnavailable(error))) return undefined;
    throw error;
  }
}

const NO_REFERENCES = {
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
