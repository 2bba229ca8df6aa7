/** What happened to an issue: every event about it in plain words, a page at a time from the end. */
import type { Event } from '../../../../core/model/event.ts';
import type { IssueId } from '../../../../core/model/ids.ts';
import type { Story, StoryEntry, StoryQuery } from '../../../../protocol/dashboard.ts';
import { eventInWords } from '../../../present/event.ts';
import type { World } from '../../../world.ts';
import type { Chronicle } from '../past/chronicle.ts';
import { eventsOf } from './events-of.ts';
import { evidenceIn } from './evidence-in.ts';
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

/** Which events are bookkeeping: true, and of no interest to whoever wants to know how an issue came to where it is. */
function isRoutine(event: Event): boolean {
  switch (event.type) {
    // What is to be written was decided just before it, and is seen on the board just after it.
    case 'labels.owed':
    case 'labels.written':
    case 'attempt.session_paired':
    case 'attempt.spawned':
    case 'attempt.spent':
    case 'attempt.report_accepted':
    case 'message.delivered':
      return true;
    // That somebody works, or begins a moment later, is no reason to wait that anybody asks for.
    case 'decision.made':
      return event.reason === 'worker_live' || event.reason === 'stagger';
    case 'intent.opened':
      return ['write_issue', 'spawn', 'comment', 'escalate', 'reread_forge'].includes(event.command.kind);
    case 'intent.settled':
      return event.outcome === 'done';
    default:
      return false;
  }
}
