/**
 * Reads one issue in its current state, with its board items. Every write starts with such a read.
 */

import { decode } from '../../../core/model/decode.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { NEVER_ABORTED } from '../../../lib/async/abortable.ts';
import { createUnknownIssueFault } from '../../tracker-support/issue-input.ts';
import { toAccountName } from '../client/client.ts';
import { toIssueReferenceKey } from '../client/issue-reference.ts';
import type { ReadIssueQuery } from '../generated/tracker.ts';
import { type BoardPlacement, toPlacement, toProjectFields } from './board-view.ts';
import { type IssueContent, readContent } from './contents.ts';
import { type GithubTrackerContext, type KnownIssue, readProjectIds } from './context.ts';
import { READ_ISSUE } from './documents.ts';
import { closedAnswer, readItems } from './read-answer.ts';

export interface GithubIssueSnapshot {
  readonly known: KnownIssue;
  readonly content: IssueContent;
  /**
   * The issue's positions, in the order of the boards. There is at least one, and the first
   * determines the column.
   */
  readonly placements: readonly [BoardPlacement, ...BoardPlacement[]];
  /** True if the issue was closed by one of Legion's own accounts, not by a merge or a person. */
  readonly closedByLegion: boolean;
}

/**
 * Finds an issue by id. If the id is unknown, lists the boards first, because the issue may have
 * just been added.
 */
export async function findKnownIssue(
  context: GithubTrackerContext,
  id: IssueId,
  signal: AbortSignal,
): Promise<KnownIssue | undefined> {
  const known = context.known.of(id);
  if (known !== undefined) return known;
  await context.list(signal);
  return context.known.of(id);
}

/** Returns undefined if the issue is on none of the boards. */
export async function readIssueSnapshot(
  context: GithubTrackerContext,
  id: IssueId,
  signal: AbortSignal,
): Promise<GithubIssueSnapshot | undefined> {
  const { client, clock, fields, isLegion } = context;
  const known = await findKnownIssue(context, id, signal);
  if (known === undefined) return undefined;
  const projects = await readProjectIds(context, signal);
  const readAt = clock.now();
  const callOptions = { signal, tolerates: ['NOT_FOUND'] };
  const { node } = await client.query<ReadIssueQuery>(READ_ISSUE, { id: known.node, ...fields }, callOptions);
  if (!isShown(node)) return undefined;
  const content = await readContent(client, node, readAt, signal);
  // An issue that moved to another repository is treated as a different issue, because its id is
  // derived from its repository.
  if (toIssueReferenceKey(content.reference) !== toIssueReferenceKey(known.reference)) return undefined;
  const items = readItems(node.projectItems?.nodes ?? null).filter((item) => !item.isArchived);
  const [first, ...others] = projects.flatMap((project) =>
    items
      .filter((item) => item.project?.id === project)
      .map((item) => toPlacement(item, toProjectFields(item.project))),
  );
  if (first === undefined) return undefined;
  const closedByLegion = isClosedByLegion(node.closed, isLegion);
  return { known, content, placements: [first, ...others], closedByLegion };
}

type ShownIssue = Extract<ReadIssueQuery['node'], { readonly __typename: 'Issue' }>;

/**
 * Returns false for null and an empty object, which GitHub returns for a node that is gone or is
 * not an issue.
 */
function isShown(node: ReadIssueQuery['node']): node is ShownIssue {
  return node?.id !== undefined;
}

/** Treats a malformed closing event as a person's, so that Legion leaves the issue closed. */
function isClosedByLegion(closed: unknown, isLegion: GithubTrackerContext['isLegion']): boolean {
  const read = decode(closedAnswer, closed, 'closed');
  const last = read.ok ? read.value.nodes?.at(-1) : undefined;
  return (last ?? undefined) !== undefined && last?.closer === null && isLegion(toAccountName(last.actor));
}

export async function requireIssueSnapshot(
  context: GithubTrackerContext,
  id: IssueId,
): Promise<GithubIssueSnapshot> {
  const snapshot = await readIssueSnapshot(context, id, NEVER_ABORTED);
  if (snapshot === undefined) throw createUnknownIssueFault(id);
  return snapshot;
}
