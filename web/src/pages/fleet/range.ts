/** How far back the charts reach; the address keeps it. Pure. */

const HOUR = 3_600_000;

export const RANGES = {
  '1h': { says: '1 h', ms: HOUR, name: 'The last hour' },
  '24h': { says: '24 h', ms: 24 * HOUR, name: 'The last 24 hours' },
  '7d': { says: '7 d', ms: 7 * 24 * HOUR, name: 'The last 7 days' },
  '30d': { says: '30 d', ms: 30 * 24 * HOUR, name: 'The last 30 days' },
} as const;

export type Range = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as Range[];

const USUAL: Range = '24h';

export function readRange(fields: URLSearchParams): Range {
  return RANGE_NAMES.find((range) => range === fields.get('range')) ?? USUAL;
}

/** The usual one needs no place in the address. */
export function rangeField(range: Range): string | null {
  return range === USUAL ? null : range;
}
