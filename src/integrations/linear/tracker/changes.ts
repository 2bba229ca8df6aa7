/** What is different since the last look, put into what was known. */
import type { ColumnNames } from '../../../core/model/status.ts';
import type { LinearClient } from '../../../linear/client.ts';
import { hasEnded } from '../../../trackers/linear/column.ts';
import type { LinearIssue } from '../../../trackers/linear/linear-issue.ts';
import { blockersOf, stateOf } from '../../../trackers/linear/to-issue.ts';
import { isWhole, wholeIssues } from '../../../trackers/linear/whole-issues.ts';
import type {
  NewAttachmentPartsFragment,
  NewRelationPartsFragment,
  TeamPartsFragment,
} from '../generated/tracker.ts';
import type { Watched } from './board-requests.ts';
import { AT_HAND, entries, WATCHED } from './documents.ts';

type Issues = ReadonlyMap<string, LinearIssue>;

interface Found {
  /** The id of the board's team. */
  readonly team: string;
  /** All that have changed, also those that are no longer on the board. */
  readonly nodes: readonly LinearIssue[];
  readonly elsewhere: { readonly nodes: readonly { readonly id: string }[] };
  readonly watched: readonly Watched[];
  readonly relations: { readonly nodes: readonly NewRelationPartsFragment[] };
  readonly attached: { readonly nodes: readonly NewAttachmentPartsFragment[] };
}

export async function applyChanges(
  client: LinearClient,
  known: Issues,
  found: Found,
  signal: AbortSignal,
): Promise<Issues> {
  const { team, nodes, elsewhere, watched, relations, attached } = found;
  const issues = new Map(known);
  for (const { id } of [...nodes, ...elsewhere.nodes]) issues.delete(id);
  for (const issue of nodes) if (isOnBoard(issue, team)) issues.set(issue.id, issue);
  const fresh = new Set(nodes.map(({ id }) => id));
  // A relation that is taken away, or that changes, need not change the time of the issues at its ends.
  for (const { id, inverseRelations } of watched) {
    const issue = issues.get(id);
    if (issue !== undefined && !fresh.has(id)) issues.set(id, { ...issue, inverseRelations });
  }
  for (const relation of relations.nodes) addRelation(issues, relation);
  for (const attachment of attached.nodes) addAttachment(issues, attachment);
  const long = watched.filter(({ inverseRelations: { nodes: some } }) => some.length >= WATCHED.relations);
  const unsure = new Set(long.map(({ id }) => id));
  const cut = [...issues.values()].filter(
    (issue) => unsure.has(issue.id) || (fresh.has(issue.id) && !isWhole(issue, AT_HAND)),
  );
  for (const { id } of cut) issues.delete(id);
  for (const issue of await wholeIssues(client, cut, NONE, signal))
    if (isOnBoard(issue, team)) issues.set(issue.id, issue);
  return issues;
}

/** Nothing of them is taken for whole. */
const NONE = entries(0);

/** Open issues that wait for something, or have: what they wait for may be taken away, end, or come back. */
export function watchedIn(
  { team, issues }: { readonly team: TeamPartsFragment; readonly issues: Issues },
  names: ColumnNames,
): readonly string[] {
  const states = new Map(team.states.nodes.map((state) => [state.id, state]));
  return [...issues.values()]
    .filter((issue) => blockersOf(issue).length > 0 && !hasEnded(stateOf(issue, { states }), names))
    .map(({ id }) => id);
}

/** Archived and trashed issues are on no board. */
export function isOnBoard({ team, archivedAt, trashed }: LinearIssue, board: string): boolean {
  return team.id === board && archivedAt === null && trashed !== true;
}

/** Another one as soon as anything about it has changed. */
export function relationKey({ id, updatedAt }: NewRelationPartsFragment): string {
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

/** Should more have come than are told at once, the next whole read has them: nothing is decided by them. */
function addAttachment(
  issues: Map<string, LinearIssue>,
  { id, url, issue }: NewAttachmentPartsFragment,
): void {
  const shown = issues.get(issue.id);
  if (shown === undefined) return;
  const others = shown.attachments.nodes.filter((attachment) => attachment.id !== id);
  issues.set(shown.id, { ...shown, attachments: { nodes: [...others, { id, url }] } });
}
