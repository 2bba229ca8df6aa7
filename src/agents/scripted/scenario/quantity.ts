/** Durations and sizes as scenarios write them: `200ms`, `2s`, `5m`, `1h`; `4096`, `64KB`, `10MB`. */
import { z } from 'zod';

/** In milliseconds. */
const DURATIONS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
/** In bytes; powers of ten, as in the configuration. */
const SIZES: Readonly<Record<string, number>> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9 };

/** Milliseconds once it is read. */
export function duration(mostMs: number) {
  return quantity((text) => amountOf(text, DURATIONS), 0, mostMs, 'is not a duration within bounds');
}

/** Bytes once it is read; a bare number is bytes. */
export function size(least: number, most: number) {
  const read = (value: string | number) => (typeof value === 'number' ? value : amountOf(value, SIZES));
  return quantity(read, least, most, 'is not a size within bounds');
}

function quantity(
  read: (value: string | number) => number | undefined,
  least: number,
  most: number,
  complaint: string,
) {
  return z.union([z.string(), z.number()]).transform((value, context) => {
    const amount = read(value);
    if (amount !== undefined && Number.isSafeInteger(amount) && amount >= least && amount <= most)
      return amount;
    context.addIssue(complaint);
    return z.NEVER;
  });
}

function amountOf(value: string | number, units: Readonly<Record<string, number>>): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,12}(?:\.\d{1,6})?) ?([A-Za-z]{1,2})$/.exec(String(value)) ?? [];
  const scale = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return amount === undefined || scale === undefined ? undefined : Math.round(Number(amount) * scale);
}
