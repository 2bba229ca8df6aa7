/** What happened to one issue lately, read backwards from the end of the journal, and no further than it pays. */
import type { Event } from '../../../domain/event.ts';
import { type IssueId, workerId } from '../../../domain/ids.ts';
import { MODES } from '../../../domain/mode.ts';
import type { Ledger } from '../../ledger.ts';

/** Events read in one step back: some milliseconds. */
const WINDOW = 1_000;
/** Events looked through at the most: about a second; what lies further back is for `legion replay`. */
const LOOKED_THROUGH_MOST = 100_000;

/** The last `most` of them, oldest first. */
export async function eventsAbout(ledger: Ledger, issue: IssueId, most: number): Promise<readonly Event[]> {
  const end = ledger.version;
  const last = Math.max(0, end - LOOKED_THROUGH_MOST);
  const about = aboutIssue(issue);
  const found: Event[] = [];
  for (let through = end; through > last && found.length < most; through -= WINDOW) {
    const window: Event[] = [];
    for await (const batch of ledger.read(Math.max(last, through - WINDOW), through)) window.push(...batch);
    // From the newest on: an outcome names only the number of its intent, which was opened before.
    for (const event of window.toReversed()) found.push(...about(event));
  }
  return found.sort((a, b) => a.seq - b.seq).slice(-most);
}

/** To be asked newest first; an intent comes with its outcome. */
function aboutIssue(issue: IssueId): (event: Event) => readonly Event[] {
  const workers = new Set(MODES.map((mode) => workerId(issue, mode)));
  const outcomes = new Map<number, Event>();
  return (event) => {
    switch (event.type) {
      case 'intent.settled':
        outcomes.set(event.intent, event);
        return [];
      case 'intent.opened': {
        const outcome = outcomes.get(event.intent);
        outcomes.delete(event.intent);
        if (event.command.issue !== issue) return [];
        return outcome === undefined ? [event] : [outcome, event];
      }
      case 'message.queued':
        return workers.has(event.to) ? [event] : [];
      default:
        return 'issue' in event && event.issue === issue ? [event] : [];
    }
  };
}
