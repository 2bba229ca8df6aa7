/** Durations and sizes as people write them: `90s`, `5m`, `2h`, `1d`; `500MB`, `2GB`. */

/** In milliseconds, largest first. */
const DURATIONS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const;

/** In bytes, largest first; powers of ten, as disks are sold and `df -H` counts. */
const SIZES = { TB: 1e12, GB: 1e9, MB: 1e6, KB: 1e3, B: 1 } as const;

/** Milliseconds; a bare number is seconds. `undefined` for what is no duration. */
export function readDuration(value: string | number): number | undefined {
  return read(value, DURATIONS, DURATIONS.s);
}

/** Bytes; a bare number is bytes. */
export function readSize(value: string | number): number | undefined {
  return read(value, SIZES, 1);
}

/** The shortest form that reads back as the same: `90s`, not `1.5m`. */
export function durationText(ms: number): string {
  return ms === 0 ? '0s' : (written(ms, DURATIONS) ?? `${ms / DURATIONS.s}s`);
}

export function sizeText(bytes: number): string {
  return (bytes === 0 ? undefined : written(bytes, SIZES)) ?? `${bytes}B`;
}

function read(
  value: string | number,
  units: Readonly<Record<string, number>>,
  bare: number,
): number | undefined {
  if (typeof value === 'number') return value >= 0 ? whole(value * bare) : undefined;
  const [, amount, unit = ''] = /^(\d{1,15}(?:\.\d{1,9})?) ?([A-Za-z]{1,2})$/.exec(value) ?? [];
  const size = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return amount === undefined || size === undefined ? undefined : whole(Number(amount) * size);
}

function written(amount: number, units: Readonly<Record<string, number>>): string | undefined {
  const unit = Object.keys(units).find((name) => amount % (units[name] ?? 1) === 0);
  return unit === undefined ? undefined : `${amount / (units[unit] ?? 1)}${unit}`;
}

function whole(amount: number): number | undefined {
  const rounded = Math.round(amount);
  return Number.isSafeInteger(rounded) ? rounded : undefined;
}
