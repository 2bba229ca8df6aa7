/** Times as people say them. */
import { span } from '../../domain/span.ts';

export function ago(at: number, now: number): string {
  return `${span(now - at)} ago`;
}

/** `2026-11-15 08:00:00`, in the time of this machine. */
export function moment(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '–';
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${clock(at)}`;
}

export function clock(at: number): string {
  const date = new Date(at);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
