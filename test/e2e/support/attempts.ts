/** Derives from the journal which workers ran, and which ran at the same time. */
import type { Event } from '../../../src/core/model/event.ts';
import type { Mode } from '../../../src/core/model/mode.ts';

/** An attempt holds its slot from its dispatch to the first of these events. */
const ENDING_EVENTS: ReadonlySet<Event['type']> = new Set([
  'attempt.report_accepted',
  'attempt.crashed',
  'attempt.stopped',
  'attempt.paused',
  'attempt.waiting',
]);

/**
 * Returns the maximum number of attempts that had a slot at the same time. Includes only modes for
 * which `counts` is true.
 */
export function countMaxConcurrent(events: readonly Event[], counts: (mode: Mode) => boolean): number {
  const live = new Set<string>();
  let most = 0;
  for (const event of events) {
    if (!('attempt' in event) || !counts(event.mode)) continue;
    const attempt = `${event.issue} ${event.mode} ${event.attempt}`;
    if (event.type === 'attempt.dispatched') live.add(attempt);
    if (ENDING_EVENTS.has(event.type)) live.delete(attempt);
    most = Math.max(most, live.size);
  }
  return most;
}

/**
 * Returns the workers that had two live attempts at once or whose attempts were not numbered
 * consecutively.
 */
export function findDoubleDispatches(events: readonly Event[]): string[] {
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
    } else if (ENDING_EVENTS.has(event.type) && live.get(worker) === event.attempt) live.delete(worker);
  }
  return wrong;
}

/** Returns every accepted report as its mode and attempt. */
export function listReports(events: readonly Event[]): string[] {
  return events.flatMap((event) =>
    event.type === 'attempt.report_accepted' ? [`${event.mode} ${event.attempt}`] : [],
  );
}
