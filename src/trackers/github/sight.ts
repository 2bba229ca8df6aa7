/** One issue as it is now, with its places on the boards; every write begins with it. */

import type { IssueId } from '../../core/model/ids.ts';
import { decode } from '../../domain/decode.ts';
import { accountName } from '../../github/actor.ts';
import { placeKey } from '../../integrations/github/client/issue-reference.ts';
import type { ReadIssueQuery } from '../../integrations/github/generated/tracker.ts';
import { fieldsIn, type Placement, placementIn } from '../../integrations/github/tracker/board-view.ts';
import { type Content, contentOf } from '../../integrations/github/tracker/contents.ts';
import { READ_ISSUE } from '../../integrations/github/tracker/documents.ts';
import { NEVER_ABORTED } from '../../lib/async/never-aborted.ts';
import { unknownIssue } from '../accepted-id.ts';
import { closedAnswer } from './answer-schemas.ts';
import type { Known } from './known-issues.ts';
import { readItems } from './read-item.ts';
import { projectsOf, type Room } from './room.ts';

export interface Sighting {
  readonly known: Known;
  readonly content: Content;
  /** In the order of the boards, at least one: the first is the one that counts. */
  readonly placements: readonly [Placement, ...Placement[]];
  /** Closed by one of Legion's own accounts, not by a merge or a person. */
  readonly closedByLegion: boolean;
}

/** An id that nobody has seen may be that of an issue that has just come to the board: a list tells. */
export async function findKnown(room: Room, id: IssueId, signal: AbortSignal): Promise<Known | undefined> {
  const known = room.known.of(id);
  if (known !== undefined) return known;
  await room.list(signal);
  return room.known.of(id);
}

/** Undefined where it is on none of the boards. */
export async function sight(room: Room, id: IssueId, signal: AbortSignal): Promise<Sighting | undefined> {
  const { client, clock, fields, isLegion } = room;
  const known = await findKnown(room, id, signal);
  if (known === undefined) return undefined;
  const projects = await projectsOf(room, signal);
  const readAt = clock.now();
  const how = { signal, tolerates: ['NOT_FOUND'] };
  const { node } = await client.query<ReadIssueQuery>(READ_ISSUE, { id: known.node, ...fields }, how);
  if (!isShown(node)) return undefined;
  const content = await contentOf(client, node, readAt, signal);
  // Moved to another repository it is another issue, under the id of its new place.
  if (placeKey(content.place) !== placeKey(known.place)) return undefined;
  const items = readItems(node.projectItems?.nodes ?? null).filter((item) => !item.isArchived);
  const [first, ...others] = projects.flatMap((project) =>
    items
      .filter((item) => item.project?.id === project)
      .map((item) => placementIn(item, fieldsIn(item.project))),
  );
  if (first === undefined) return undefined;
  const closedByLegion = isClosedByLegion(node.closed, isLegion);
  return { known, content, placements: [first, ...others], closedByLegion };
}

type ShownIssue = Extract<ReadIssueQuery['node'], { readonly __typename: 'Issue' }>;

/** GitHub answers with null or with an empty object for a node that is gone or is not an issue. */
function isShown(node: ReadIssueQuery['node']): node is ShownIssue {
  return node?.id !== undefined;
}

/** What is malformed counts as somebody else's: Legion then leaves the issue closed. */
function isClosedByLegion(closed: unknown, isLegion: Room['isLegion']): boolean {
  const read = decode(closedAnswer, closed, 'closed');
  const last = read.ok ? read.value.nodes?.at(-1) : undefined;
  return (last ?? undefined) !== undefined && last?.closer === null && isLegion(accountName(last.actor));
}

export async function requireSight(room: Room, id: IssueId): Promise<Sighting> {
  const seen = await sight(room, id, NEVER_ABORTED);
  if (seen === undefined) throw unknownIssue(id);
  return seen;
}
