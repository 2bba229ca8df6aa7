/** What happened to one issue lately, read backwards from the end of the journal, and no further than it pays. */
import type { Event } from '../../../core/model/event.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { type IssueId, workerId } from '../../../core/model/ids.ts';
import { MODES } from '../../../domain/mode.ts';
import type { Ledger } from '../../context/journal-ledger.ts';

/** Of one row, not of the whole journal. */
const DAMAGED: ReadonlySet<string> = new Set(['journal.corrupt', 'journal.newer']);

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
    const { window, isWhole } = await readWindow(ledger, Math.max(last, through - WINDOW), through);
    // From the newest on: an outcome names only the number of its intent, which was opened before.
    for (const event of window.toReversed()) found.push(...about(event));
    if (!isWhole) break;
  }
  return found.sort((a, b) => a.seq - b.seq).slice(-most);
}

/**
 * What lies behind an event that cannot be read is left out: whoever asks why an issue waits needs the rest of the answer. The
 * half that is newer is tried first, so that everything after that event is found in some ten readings.
 */
async function readWindow(ledger: Ledger, after: number, through: number): Promise<Window> {
  try {
    const window: Event[] = [];
    for await (const batch of ledger.read(after, through)) window.push(...batch);
    return { window, isWhole: true };
  } catch (error) {
    if (!(error instanceof LegionError) || !DAMAGED.has(error.code)) throw error;
  }
  if (through - after <= 1) return { window: [], isWhole: false };
  const middle = Math.floor((after + through) / 2);
  const newer = await readWindow(ledger, middle, through);
  if (!newer.isWhole) return newer;
  const older = await readWindow(ledger, after, middle);
  return { window: [...older.window, ...newer.window], isWhole: older.isWhole };
}

interface Window {
  readonly window: readonly Event[];
  readonly isWhole: boolean;
}

/** To be asked newest first; an intent and a message come with their outcomes, which do not name the issue. */
function aboutIssue(issue: IssueId): (event: Event) => readonly Event[] {
  const workers = new Set(MODES.map((mode) => workerId(issue, mode)));
  const outcomes = new Map<number, Event>();
  const deliveries = new Map<number, Event>();
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
      case 'message.delivered':
      case 'message.set_aside':
        // The last outcome counts.
        if (!deliveries.has(event.message)) deliveries.set(event.message, event);
        return [];
      case 'message.queued': {
        const delivery = deliveries.get(event.message);
        deliveries.delete(event.message);
        if (!workers.has(event.to)) return [];
        return delivery === undefined ? [event] : [delivery, event];
      }
      default:
        return 'issue' in event && event.issue === issue ? [event] : [];
    }
  };
}
