/** What happened to an issue: every event about it in plain words, a page at a time from the end. */
import type { Event } from '../../../../domain/event.ts';
import type { IssueId } from '../../../../domain/ids.ts';
import type { Story, StoryEntry, StoryQuery } from '../../../../protocol/dashboard.ts';
import { eventInWords } from '../../../present/event.ts';
import type { World } from '../../../world.ts';
import type { Chronicle } from '../past/chronicle.ts';
import { eventsOf } from './events-of.ts';
import { evidenceIn } from './evidence-in.ts';
import { isRoutine } from './is-routine.ts';
import { knownIssue } from './known-issue.ts';
import { whoseDoing } from './whose-doing.ts';

export async function story(
  world: World,
  chronicle: Chronicle,
  given: IssueId,
  { before = Number.POSITIVE_INFINITY, limit }: StoryQuery,
): Promise<Story> {
  const issue = await knownIssue(world, given);
  await chronicle.caughtUp();
  const earlier = chronicle.index.of(issue).filter((version) => version < before);
  const events = await eventsOf(world.ledger, earlier.slice(-limit));
  return { entries: events.map(entryOf), more: earlier.length > limit };
}

function entryOf(event: Event): StoryEntry {
  const { seq: version, at, type } = event;
  return {
    ...{ version, at, type, says: eventInWords(event), by: whoseDoing(event) },
    ...lifeIn(event.type === 'intent.opened' ? event.command : event),
    ...{ evidence: [...evidenceIn(event)], routine: isRoutine(event) },
  };
}

/** A decision names a mode, too, though nobody of it need live. */
function lifeIn(of: object): Pick<StoryEntry, 'mode' | 'attempt'> {
  const { mode, attempt } = of as Pick<StoryEntry, 'mode' | 'attempt'>;
  return { ...(mode === undefined ? {} : { mode }), ...(attempt === undefined ? {} : { attempt }) };
}
