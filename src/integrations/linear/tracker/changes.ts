/** Merges the changes since the last read into the known issues. */
import type { ColumnNames } from '../../../core/model/status.ts';
import type { LinearClient } from '../client/client.ts';
import type {
  NewAttachmentPartsFragment,
  NewRelationPartsFragment,
  TeamPartsFragment,
} from '../generated/tracker.ts';
import type { LinearIssue } from './answer-schemas.ts';
import type { WatchedIssue } from './board-requests.ts';
import { hasEnded } from './column.ts';
import { AT_HAND, createNestedCounts, WATCHED } from './documents.ts';
import { listBlockers, resolveState } from './to-issue.ts';
import { isWhole, readWholeIssues } from './whole-issues.ts';

type IssuesByUuid = ReadonlyMap<string, LinearIssue>;

interface FoundChanges {
  /** The id of the board's team. */
  readonly team: string;
  /** All changed issues, including those that left the board. */
  readonly nodes: readonly LinearIssue[];
  readonly elsewhere: { readonly nodes: readonly { readonly id: string }[] };
  readonly watched: readonly WatchedIssue[];
  readonly relations: { readonly nodes: readonly NewRelationPartsFragment[] };
  readonly attached: { readonly nodes: readonly NewAttachmentPartsFragment[] };
}

export async function applyChanges(
  client: LinearClient,
  known: IssuesByUuid,
  changes: FoundChanges,
  signal: AbortSignal,
): Promise<IssuesByUuid> {
  const { team, nodes, elsewhere, watched, relations, attached } = changes;
  const issues = new Map(known);
  for (const { id } of [...nodes, ...elsewhere.nodes]) issues.delete(id);
  for (const issue of nodes) if (isOnBoard(issue, team)) issues.set(issue.id, issue);
  const fresh = new Set(nodes.map(({ id }) => id));
  // Removing or changing a relation may leave the `updatedAt` of both issues unchanged.
  for (const { id, inverseRelations } of watched) {
    const issue = issues.get(id);
    if (issue !== undefined && !fresh.has(id)) issues.set(id, { ...issue, inverseRelations });
  }
  for (const relation of relations.nodes) addRelation(issues, relation);
  for (const attachment of attached.nodes) addAttachment(issues, attachment);
  const long = watched.filter(({ inverseRelations: { nodes: some } }) => some.length >= WATCHED.relations);
  const incompleteIds = new Set(long.map(({ id }) => id));
  const cut = [...issues.values()].filter(
    (issue) => incompleteIds.has(issue.id) || (fresh.has(issue.id) && !isWhole(issue, AT_HAND)),
  );
  for (const { id } of cut) issues.delete(id);
  for (const issue of await readWholeIssues(client, cut, NONE, signal))
    if (isOnBoard(issue, team)) issues.set(issue.id, issue);
  return issues;
}

/** Sizes of zero, so that every nested list is treated as truncated. */
const NONE = createNestedCounts(0);

/**
 * Returns open issues that have or had blockers, because a blocker may be removed, end or be
 * reopened.
 */
export function listWatchedIds(
  { team, issues }: { readonly team: TeamPartsFragment; readonly issues: IssuesByUuid },
  names: ColumnNames,
): readonly string[] {
  const states = new Map(team.states.nodes.map((state) => [state.id, state]));
  return [...issues.values()]
    .filter((issue) => listBlockers(issue).length > 0 && !hasEnded(resolveState(issue, { states }), names))
    .map(({ id }) => id);
}

/** Returns false for archived and trashed issues and for other teams' issues. */
export function isOnBoard({ team, archivedAt, trashed }: LinearIssue, board: string): boolean {
  return team.id === board && archivedAt === null && trashed !== true;
}

/** Returns a key that changes whenever the relation changes. */
export function toRelationKey({ id, updatedAt }: NewRelationPartsFragment): string {
  return `${id} ${updatedAt}`;
}

function addRelation(
  issues: Map<string, LinearIssue>,
  { id, type, issue, relatedIssue }: NewRelationPartsFragment,
): void {
  const waiting = issues.get(relatedIssue.id);
  if (waiting === undefined) return;
  const { nodes } = waiting.inverseRelations;
  const others = nodes.filter((relation) => relation.id !== id);
  issues.set(waiting.id, {
    ...waiting,
    inverseRelations: { nodes: [...others, { id, type, issue }] },
  });
}

/**
 * Adds an attachment. If more attachments were added than one request reports, the next full read
 * finds them; no decision depends on attachments.
 */
function addAttachment(
  issues: Map<string, LinearIssue>,
  { id, url, issue }: NewAttachmentPartsFragment,
): void {
  const target = issues.get(issue.id);
  if (target === undefined) return;
  const others = target.attachments.nodes.filter((attachment) => attachment.id !== id);
  issues.set(target.id, { ...target, attachments: { nodes: [...others, { id, url }] } });
}
