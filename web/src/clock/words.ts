/** Moments as people say them, in the time of their machine. Pure. */
import { moment as momentOf, timeOfDay } from '../../../src/domain/format.ts';

/** `2026-11-15 08:00:00`. */
export function moment(at: number): string {
  return momentOf(new Date(at));
}

/** `08:00:00`. */
export function time(at: number): string {
  return timeOfDay(new Date(at));
}

/** `08:00`. */
export function clock(at: number): string {
  return time(at).slice(0, 'HH:MM'.length);
}

/** `Nov 14`. */
export function day(at: number): string {
  return DAYS.format(at);
}

const DAYS = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
