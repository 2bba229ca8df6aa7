/** Reading one issue as it is now. */
import type { IssueId } from '../../domain/ids.ts';
import type { Issue } from '../../domain/issue.ts';
import { type IssuePlace, placeKey } from '../../github/issue-place.ts';
import { hasEnded } from './column.ts';
import { describe } from './describe.ts';
import { distinct } from './list.ts';
import { projectsOf, type Room } from './room.ts';
import { type Sighting, sight } from './sight.ts';
import { standingOf } from './to-issue.ts';

export async function read(room: Room, id: IssueId, signal: AbortSignal): Promise<Issue | undefined> {
  const seen = await sight(room, id, signal);
  if (seen === undefined) return undefined;
  const { content, placements } = seen;
  await room.authors.learn([content.answer], signal);
  const openBlockers = await openBlockersOf(room, seen, signal);
  return describe(room, { id, content, placement: placements[0], openBlockers });
}

async function openBlockersOf(
  room: Room,
  { content, placements }: Sighting,
  signal: AbortSignal,
): Promise<readonly IssuePlace[]> {
  if (hasEnded(standingOf(content.answer, placements[0]), room.columns())) return [];
  const native = await room.dependencies.ask(content, signal);
  const places = distinct([...content.named, ...native]);
  if (places.length === 0) return [];
  const open = await room.states.ask(places, await projectsOf(room, signal), signal);
  return places.filter((place) => open.has(placeKey(place)));
}
