/**
 * Draws durations side by side: a bar for the median, a thin line for the 90th percentile, and both
 * values as text.
 */
import { formatDuration } from '../../../src/core/model/format.ts';
import type { DrawingProps } from './plot.ts';

interface SpreadRow {
  readonly name: string;
  readonly count: number;
  readonly medianMs: number;
  readonly p90Ms: number;
}

/** Maximum row height in pixels. */
const MAX_ROW_PX = 24;
const NAMES = 92;
const WORDS_PX = 104;

interface SpreadsProps extends DrawingProps {
  readonly rows: readonly SpreadRow[];
}

export function Spreads({ width, height, rows, pointed, onPoint }: SpreadsProps) {
  const rowHeight = Math.min(MAX_ROW_PX, height / rows.length);
  const max = Math.max(...rows.map(({ p90Ms }) => p90Ms), 1);
  const available = Math.max(20, width - NAMES - WORDS_PX);
  const toLength = (ms: number) => (ms / max) * available;
  return rows.map(({ name, medianMs, p90Ms }, index) => {
    const middle = (index + 0.5) * rowHeight;
    return (
      <g key={name} onPointerEnter={() => onPoint(index)} onPointerLeave={() => onPoint(null)}>
        <rect
          className={index === pointed ? 'under' : 'sense'}
          x={0}
          y={index * rowHeight}
          width={width}
          height={rowHeight}
        />
        <text x={0} y={middle + 4}>
          {name}
        </text>
        <line className="whisker" x1={NAMES} x2={NAMES + toLength(p90Ms)} y1={middle} y2={middle} />
        <line
          className="whisker"
          x1={NAMES + toLength(p90Ms)}
          x2={NAMES + toLength(p90Ms)}
          y1={middle - 4}
          y2={middle + 4}
        />
        <rect
          className="bar bar-accent"
          x={NAMES}
          y={middle - 6}
          width={Math.max(2, toLength(medianMs))}
          height={12}
          rx={2}
        />
        <text className="spread-words" x={width} y={middle + 4} textAnchor="end">
          {formatDuration(medianMs)} · {formatDuration(p90Ms)}
        </text>
      </g>
    );
  });
}
