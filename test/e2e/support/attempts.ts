/** What the journal says about who was at work, and at the same time, as an outside observer reads it. */
import type { Event } from '../../../src/core/model/event.ts';
import type { Mode } from '../../../src/domain/mode.ts';

/** An attempt holds its place from its dispatch to the first of these. */
const ENDS: ReadonlySet<Event['type']> = new Set([
  'attempt.report_accepted',
  'attempt.crashed',
  'attempt.stopped',
  'attempt.paused',
  'attempt.waiting',
]);

/** The most attempts that held a place at once; reviewers are exempt from the count. */
export function mostAtOnce(events: readonly Event[], counts: (mode: Mode) => boolean): number {
  const live = new Set<string>();
  let most = 0;
  for (const event of events) {
    if (!('attempt' in event) || !counts(event.mode)) continue;
    const attempt = `${event.issue} ${event.mode} ${event.attempt}`;
    if (event.type === 'attempt.dispatched') live.add(attempt);
    if (ENDS.has(event.type)) live.delete(attempt);
    most = Math.max(most, live.size);
  }
  return most;
}

/** Workers of one issue and mode that were live at once, or whose attempts were not numbered one after the other. */
export function doubleDispatches(events: readonly Event[]): string[] {
  const last = new Map<string, number>();
  const live = new Map<string, number>();
  const wrong: string[] = [];
  for (const event of events) {
    if (!('attempt' in event)) continue;
    const worker = `${event.issue} ${event.mode}`;
    if (event.type === 'attempt.dispatched') {
      if (live.has(worker)) wrong.push(`${worker}: ${event.attempt} beside ${live.get(worker)}`);
      if (event.attempt !== (last.get(worker) ?? 0) + 1)
        wrong.push(`${worker}: ${event.attempt} after ${last.get(worker)}`);
      last.set(worker, event.attempt);
      live.set(worker, event.attempt);
    } else if (ENDS.has(event.type) && live.get(worker) === event.attempt) live.delete(worker);
  }
  return wrong;
}

/** Every report that was accepted, as its mode and attempt. */
export function reportsOf(events: readonly Event[]): string[] {
  return events.flatMap((event) =>
    event.type === 'attempt.report_accepted' ? [`${event.mode} ${event.attempt}`] : [],
  );
}
