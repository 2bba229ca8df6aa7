/** Times as people say them. Pure. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `12s`, `5m`, `2h 5m`, `3d 4h`: two units at the most, because nobody needs the seconds of a day. */
export function span(ms: number): string {
  const time = Math.max(0, ms);
  if (time < MINUTE) return `${Math.floor(time / SECOND)}s`;
  if (time < HOUR) return `${Math.floor(time / MINUTE)}m`;
  if (time < DAY) return joined(Math.floor(time / HOUR), 'h', Math.floor((time % HOUR) / MINUTE), 'm');
  return joined(Math.floor(time / DAY), 'd', Math.floor((time % DAY) / HOUR), 'h');
}

/** `2026-11-15 08:00:00`, in the time of this machine. */
export function moment(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '–';
  return `${[date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')} ${time(at)}`;
}

export function time(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit} ${small}${smallUnit}`;
}
