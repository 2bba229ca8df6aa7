/** Why an issue came to wait for a person: the last decision that was more than waiting. */
import type { Event, EventOf } from '../../../domain/event.ts';
import type { IssueId } from '../../../domain/ids.ts';
import { reasonInWords } from '../../present/reason.ts';
import type { World } from '../../world.ts';
import { eventsAbout } from './history.ts';

/** Events of the issue that are looked through; the decision to wait is among the last of them. */
const SEARCHED_MOST = 30;

/** They say that an issue waits, not why it does. */
const ONLY_WAITING: ReadonlySet<string> = new Set([
  'paused',
  'halted',
  'legion_paused',
  'waits_for_answer',
  'waits_for_approval',
]);

/** Undefined where nothing is known of it. */
export type WhyItWaits = (issue: IssueId) => Promise<string | undefined>;

/** An answer holds until the next decision on the issue, so that a page that asks every second reads the journal once. */
export function openWhyItWaits({ ledger }: World): WhyItWaits {
  const known = new Map<IssueId, { readonly decision: number; readonly says: string | undefined }>();
  return async (issue) => {
    const decision = ledger.swarm.issues.get(issue)?.lastDecision ?? 0;
    const before = known.get(issue);
    if (before?.decision === decision) return before.says;
    const events = await eventsAbout(ledger, issue, SEARCHED_MOST);
    const found = events.findLast(isCause);
    const says = found && causeInWords(found);
    known.set(issue, { decision, says });
    return says;
  };
}

type Cause = EventOf<'decision.made'> | EventOf<'labels.owed'>;

/** A decision that did more than wait, or a person's hold. */
function isCause(event: Event): event is Cause {
  if (event.type === 'decision.made') return !ONLY_WAITING.has(event.reason);
  return event.type === 'labels.owed' && event.by !== undefined;
}

function causeInWords(cause: Cause): string {
  if (cause.type === 'labels.owed') return `Held by ${cause.by}: ${cause.why ?? 'no reason was given'}`;
  return `${reasonInWords(cause.reason)} (${cause.evidence.join(', ')})`;
}
