/** Listing the boards: every issue on them once, the first board's word before the others'. */
import type { Issue } from '../../../domain/issue.ts';
import { hasEnded } from '../../../trackers/github/column.ts';
import { describe } from '../../../trackers/github/describe.ts';
import {
  blockersAmong,
  distinctPlaces,
  type IssueBlockers,
  NO_BLOCKERS,
} from '../../../trackers/github/issue-blockers.ts';
import type { Room } from '../../../trackers/github/room.ts';
import { standingOf } from '../../../trackers/github/to-issue.ts';
import { type IssuePlace, placeKey } from '../client/issue-reference.ts';
import type { Fields, Placement } from './board-view.ts';
import type { Content } from './contents.ts';

/** Nodes of no board that go into a digest; GitHub takes a hundred, others are asked for apart. */
const FOREIGN_MAX = 100;

interface Seen {
  readonly content: Content;
  readonly placement: Placement;
}

export async function list(room: Room, signal: AbortSignal): Promise<readonly Issue[]> {
  const { boards, contents, known, authors, states } = room;
  const foreign = states.nodes().slice(0, FOREIGN_MAX);
  const placements = new Map<string, Placement>();
  const items = new Map<string, string>();
  const blocked = new Set<string>();
  const told = new Map<string, boolean>();
  const seenBoards: Fields[] = [];
  const unknown: string[] = [];
  let redacted = 0;
  for (const [index, board] of boards.entries()) {
    const reading = await board.read(index === 0 ? foreign : [], signal);
    await contents.keep(reading.whole, signal);
    const whole = new Set(reading.whole.map(({ id }) => id));
    await contents.refresh(
      reading.heads.filter(({ id }) => !whole.has(id) && reading.view.placements.has(id)),
      signal,
    );
    for (const [node, placement] of reading.view.placements) {
      if (!placements.has(node)) placements.set(node, placement);
      items.set(placement.item, node);
    }
    for (const [item, { placement, refusal }] of reading.view.refused) {
      const node = known.nodeOfItem(item);
      if (node === undefined) unknown.push(refusal.message);
      else {
        contents.refuse(node, refusal.message, refusal.code);
        if (!placements.has(node)) placements.set(node, placement);
        items.set(item, node);
      }
    }
    for (const node of reading.blocked) blocked.add(node);
    for (const [node, closed] of reading.foreign) told.set(node, closed);
    seenBoards.push(reading.view.fields);
    redacted += reading.view.redacted;
    unknown.push(...reading.view.malformed);
  }
  contents.retain(new Set(placements.keys()));
  const seen = [...placements].flatMap(([node, placement]): Seen[] => {
    const content = contents.of(node);
    return content === undefined ? [] : [{ content, placement }];
  });
  known.learn(
    seen.map(({ content }) => ({ place: content.place, node: content.answer.id })),
    room.repositories(),
  );
  known.learnItems(items);
  room.notice({ boards: seenBoards, redacted, refused: [...unknown, ...contents.missing()] });
  await authors.learn(
    seen.map(({ content }) => content.answer),
    signal,
  );
  const blockersOf = await readBlockers(room, seen, blocked, told, signal);
  return seen.flatMap(({ content, placement }) => {
    const id = known.idOf(content.place);
    if (id === undefined) return [];
    const blockers = blockersOf.get(content.answer.id) ?? NO_BLOCKERS;
    return [describe(room, { id, content, placement, blockers })];
  });
}

/** By the node id of the issue that waits. What has ended waits for nothing. */
async function readBlockers(
  { columns, dependencies, states }: Room,
  seen: readonly Seen[],
  blocked: ReadonlySet<string>,
  told: ReadonlyMap<string, boolean>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, IssueBlockers>> {
  const ended = new Map(
    seen.map(({ content, placement }) => [
      placeKey(content.place),
      hasEnded(standingOf(content.answer, placement), columns()),
    ]),
  );
  const waiting = seen.filter(({ content }) => ended.get(placeKey(content.place)) === false);
  const native = waiting
    .map(({ content }) => content)
    .filter(({ answer }) => blocked.has(answer.id) || dependencies.isExpected(answer.id));
  dependencies.retain(new Set(native.map(({ answer }) => answer.id)));
  await dependencies.learn(native, signal);
  const wanted = waiting.map(({ content }) => ({
    node: content.answer.id,
    places: distinctPlaces([...content.named, ...dependencies.of(content.answer.id)]),
  }));
  const elsewhere = distinctPlaces(wanted.flatMap(({ places }) => places)).filter(
    (place) => !ended.has(placeKey(place)),
  );
  const { open, unreadable } = await states.open(elsewhere, told, signal);
  const isOpen = (place: IssuePlace) => {
    const key = placeKey(place);
    return ended.has(key) ? ended.get(key) === false : open.has(key);
  };
  return new Map(
    wanted.map(({ node, places }) => {
      const dependencyProblem = dependencies.problemOf(node);
      return [node, blockersAmong(places, { isOpen, unreadable, dependencyProblem })];
    }),
  );
}
