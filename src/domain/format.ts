/** Durations, moments, counts and amounts as people say them. */

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

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit} ${small}${smallUnit}`;
}

/** `2026-11-15 08:00:00`. The date is the caller's: its hours are those of the machine that shows it. */
export function moment(date: Date): string {
  if (Number.isNaN(date.getTime())) return '–';
  const day = [date.getFullYear(), ...[date.getMonth() + 1, date.getDate()].map(two)].join('-');
  return `${day} ${timeOfDay(date)}`;
}

/** `08:00:00`. */
export function timeOfDay(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

/** `1 crash`, `2 crashes`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** `1,234,567 tokens`. */
export function tokensText(tokens: number): string {
  return counted(tokens, 'token');
}

/** `$3.20`. */
export function dollars(usd: number): string {
  return `$${usd.toFixed(2)}`;
}
