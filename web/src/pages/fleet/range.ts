/** Time range of the charts, kept in the address. Pure. */

const HOUR = 3_600_000;

export const RANGES = {
  '1h': { label: '1 h', ms: HOUR, name: 'The last hour' },
  '24h': { label: '24 h', ms: 24 * HOUR, name: 'The last 24 hours' },
  '7d': { label: '7 d', ms: 7 * 24 * HOUR, name: 'The last 7 days' },
  '30d': { label: '30 d', ms: 30 * 24 * HOUR, name: 'The last 30 days' },
} as const;

export type FigureRange = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as FigureRange[];

const DEFAULT_RANGE: FigureRange = '24h';

export function readRange(fields: URLSearchParams): FigureRange {
  return RANGE_NAMES.find((range) => range === fields.get('range')) ?? DEFAULT_RANGE;
}

/** The default range is not in the address. */
export function toRangeField(range: FigureRange): string | null {
  return range === DEFAULT_RANGE ? null : range;
}
