/** Reads the recent events of one issue backwards from the end of the journal, up to a limit. */
import type { Event } from '../../../core/model/event.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { type IssueId, toWorkerId } from '../../../core/model/ids.ts';
import { MODES } from '../../../core/model/mode.ts';
import type { Ledger } from '../../context/ledger.ts';

/** Faults that affect one row of the journal, not the whole journal. */
const DAMAGED_ROW_FAULTS: ReadonlySet<string> = new Set(['journal.corrupt', 'journal.newer']);

/** Number of events read in each backward step. A step takes a few milliseconds. */
const WINDOW_EVENTS = 1_000;
/**
 * Maximum number of events searched. Searching them takes about a second. `legion replay` covers
 * older events.
 */
const MAX_SEARCHED_EVENTS = 100_000;

/** Returns the last `most` events, oldest first. */
export async function findIssueEvents(
  ledger: Ledger,
  issue: IssueId,
  most: number,
): Promise<readonly Event[]> {
  const end = ledger.version;
  const last = Math.max(0, end - MAX_SEARCHED_EVENTS);
  const about = createIssueEventFilter(issue);
  const found: Event[] = [];
  for (let through = end; through > last && found.length < most; through -= WINDOW_EVENTS) {
    const { window, isWhole } = await readWindow(ledger, Math.max(last, through - WINDOW_EVENTS), through);
    // Events are visited newest first, because an outcome contains only the number of its intent,
    // and the intent was opened earlier.
    for (const event of window.toReversed()) found.push(...about(event));
    if (!isWhole) break;
  }
  return found.sort((a, b) => a.seq - b.seq).slice(-most);
}

/**
 * Omits an unreadable event and everything before it, so that the rest of the answer is still
 * available. Reads the newer half first, and thus finds everything after the damaged event in about
 * ten reads.
 */
async function readWindow(ledger: Ledger, after: number, through: number): Promise<EventWindow> {
  try {
    const window: Event[] = [];
    for await (const batch of ledger.read(after, through)) window.push(...batch);
    return { window, isWhole: true };
  } catch (error) {
    if (!(error instanceof LegionError) || !DAMAGED_ROW_FAULTS.has(error.code)) throw error;
  }
  if (through - after <= 1) return { window: [], isWhole: false };
  const middle = Math.floor((after + through) / 2);
  const newer = await readWindow(ledger, middle, through);
  if (!newer.isWhole) return newer;
  const older = await readWindow(ledger, after, middle);
  return { window: [...older.window, ...newer.window], isWhole: older.isWhole };
}

interface EventWindow {
  readonly window: readonly Event[];
  readonly isWhole: boolean;
}

/**
 * Creates a filter that selects the events of an issue. Call it with the newest event first. It
 * returns intents and messages together with their outcomes, because an outcome does not contain
 * the issue.
 */
function createIssueEventFilter(issue: IssueId): (event: Event) => readonly Event[] {
  const workers = new Set(MODES.map((mode) => toWorkerId(issue, mode)));
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
        // Keeps only the latest outcome of each message.
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
