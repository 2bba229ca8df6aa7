/** Where an axis has its lines, and what stands beside them: few, and at numbers people count by. Pure. */
import { span } from '../../../src/domain/format.ts';
import { clock, day } from '../clock/words.ts';

export interface Tick {
  readonly value: number;
  readonly says: string;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Steps in which people tell time. */
const SPANS = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1_000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 30, 60, 120].map((days) => days * DAY),
];

/** From 0 to at least `most`; the last one is the axis' end. `isWhole` for what cannot be halved. */
export function amountTicks(
  most: number,
  about: number,
  isWhole: boolean,
  say: (value: number) => string,
): Tick[] {
  const rough = Math.max(most, isWhole ? 1 : 0.01) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice =
    [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough - power / 1e6) ?? rough;
  return upTo(most, isWhole ? Math.max(1, Math.round(nice)) : nice, say);
}

export function spanTicks(most: number, about: number): Tick[] {
  const step = SPANS.find((each) => each >= most / about) ?? Math.ceil(most / about / DAY) * DAY;
  return upTo(most, step, (value) => (value === 0 ? '0' : span(value)));
}

/** Within a time, at full hours or midnights of this machine. */
export function timeTicks(from: number, to: number, about: number): Tick[] {
  const step = SPANS.find((each) => each >= (to - from) / about) ?? DAY;
  const offset = new Date(from).getTimezoneOffset() * MINUTE;
  const ticks: Tick[] = [];
  for (let at = Math.ceil((from - offset) / step) * step + offset; at <= to; at += step) {
    ticks.push({ value: at, says: step < DAY ? clock(at) : day(at) });
  }
  return ticks;
}

function upTo(most: number, step: number, say: (value: number) => string): Tick[] {
  const count = Math.max(1, Math.ceil(most / step - 1e-9));
  return Array.from({ length: count + 1 }, (_, index) => ({ value: index * step, says: say(index * step) }));
}
