/** Chooses a few round values at which an axis has lines, and the labels of these values. Pure. */
import { formatDuration } from '../../../src/core/model/format.ts';
import { formatClockTime, formatDay } from '../clock/format-time.ts';

export interface AxisTick {
  readonly value: number;
  readonly label: string;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Round durations that may separate two ticks. */
const SPANS = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1_000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 30, 60, 120].map((days) => days * DAY),
];

/**
 * Returns ticks from 0 to at least `max`; the last one is the end of the axis. Set `isWhole` for
 * values that cannot be fractions.
 */
export function buildAmountTicks(
  max: number,
  tickCount: number,
  isWhole: boolean,
  format: (value: number) => string,
): AxisTick[] {
  const roughStep = Math.max(max, isWhole ? 1 : 0.01) / tickCount;
  const power = 10 ** Math.floor(Math.log10(roughStep));
  const niceStep =
    [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= roughStep - power / 1e6) ??
    roughStep;
  return buildTicks(max, isWhole ? Math.max(1, Math.round(niceStep)) : niceStep, format);
}

export function buildDurationTicks(max: number, tickCount: number): AxisTick[] {
  const step = SPANS.find((each) => each >= max / tickCount) ?? Math.ceil(max / tickCount / DAY) * DAY;
  return buildTicks(max, step, (value) => (value === 0 ? '0' : formatDuration(value)));
}

/** Returns ticks within a time range, at full hours or midnights in local time. */
export function buildTimeTicks(from: number, to: number, tickCount: number): AxisTick[] {
  const step = SPANS.find((each) => each >= (to - from) / tickCount) ?? DAY;
  const offset = new Date(from).getTimezoneOffset() * MINUTE;
  const ticks: AxisTick[] = [];
  for (let at = Math.ceil((from - offset) / step) * step + offset; at <= to; at += step) {
    ticks.push({ value: at, label: step < DAY ? formatClockTime(at) : formatDay(at) });
  }
  return ticks;
}

function buildTicks(max: number, step: number, format: (value: number) => string): AxisTick[] {
  const count = Math.max(1, Math.ceil(max / step - 1e-9));
  return Array.from({ length: count + 1 }, (_, index) => ({
    value: index * step,
    label: format(index * step),
  }));
}
