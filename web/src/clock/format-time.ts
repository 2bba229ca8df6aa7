/** Formats times in local time. Pure. */
import { formatDateTime, formatTimeOfDay } from '../../../src/core/model/format.ts';

/** Returns text such as `2026-11-15 08:00:00`. */
export function formatMoment(at: number): string {
  return formatDateTime(new Date(at));
}

/** Returns text such as `08:00:00`. */
export function formatTime(at: number): string {
  return formatTimeOfDay(new Date(at));
}

/** Returns text such as `08:00`. */
export function formatClockTime(at: number): string {
  return formatTime(at).slice(0, 'HH:MM'.length);
}

/** Returns text such as `Nov 14`. */
export function formatDay(at: number): string {
  return DAYS.format(at);
}

const DAYS = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
