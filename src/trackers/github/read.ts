/** Reading one issue as it is now. */

import type { IssueId } from '../../domain/ids.ts';
import type { Issue } from '../../domain/issue.ts';
import { placeKey } from '../../github/issue-place.ts';
import { isRefusal } from '../../lib/read-isolated.ts';
import { hasEnded } from './column.ts';
import { describe } from './describe.ts';
import { blockersAmong, distinctPlaces, type IssueBlockers, NO_BLOCKERS } from './issue-blockers.ts';
import { projectsOf, type Room } from './room.ts';
import { type Sighting, sight } from './sight.ts';
import { standingOf } from './to-issue.ts';

export async function read(room: Room, id: IssueId, signal: AbortSignal): Promise<Issue | undefined> {
  try {
    const seen = await sight(room, id, signal);
    if (seen === undefined) return undefined;
    const { content, placements } = seen;
    await room.authors.learn([content.answer], signal);
    const blockers = await readBlockers(room, seen, signal);
    return describe(room, { id, content, placement: placements[0], blockers });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // A list shows an issue that GitHub refuses as it was before, with the reason.
    return (await room.list(signal)).find((issue) => issue.id === id);
  }
}

async function readBlockers(
  room: Room,
  { content, placements }: Sighting,
  signal: AbortSignal,
): Promise<IssueBlockers> {
  const { columns, dependencies, states } = room;
  if (hasEnded(standingOf(content.answer, placements[0]), columns())) return NO_BLOCKERS;
  const native = await dependencies.ask(content, signal);
  const dependencyProblem = dependencies.problemOf(content.answer.id);
  const places = distinctPlaces([...content.named, ...native]);
  const projects = places.length === 0 ? [] : await projectsOf(room, signal);
  const { open, unreadable } = await states.ask(places, projects, signal);
  return blockersAmong(places, {
    isOpen: (place) => open.has(placeKey(place)),
    unreadable,
    dependencyProblem,
  });
}
