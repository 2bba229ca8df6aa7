/** How long something takes, as people say it. */

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
