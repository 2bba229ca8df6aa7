/** Times as people say them, in the time of this machine. */
import { moment as momentOf, span, timeOfDay } from '../../domain/format.ts';

export function ago(at: number, now: number): string {
  return `${span(now - at)} ago`;
}

export function moment(at: number): string {
  return momentOf(new Date(at));
}

export function clock(at: number): string {
  return timeOfDay(new Date(at));
}
