/** Durations side by side: a bar to the middle, a thin line on to what nine of ten stay below, and both in words. */
import { span } from '../../../src/domain/format.ts';
import type { DrawingProps } from './plot.ts';

interface SpreadRow {
  readonly name: string;
  readonly count: number;
  readonly medianMs: number;
  readonly p90Ms: number;
}

/** Pixels of a row, where there is room for so much. */
const ROW_MOST = 24;
const NAMES = 92;
const WORDS = 104;

interface SpreadsProps extends DrawingProps {
  readonly rows: readonly SpreadRow[];
}

export function Spreads({ width, height, rows, pointed, onPoint }: SpreadsProps) {
  const high = Math.min(ROW_MOST, height / rows.length);
  const most = Math.max(...rows.map(({ p90Ms }) => p90Ms), 1);
  const room = Math.max(20, width - NAMES - WORDS);
  const long = (ms: number) => (ms / most) * room;
  return rows.map(({ name, medianMs, p90Ms }, index) => {
    const middle = (index + 0.5) * high;
    return (
      <g key={name} onPointerEnter={() => onPoint(index)} onPointerLeave={() => onPoint(null)}>
        <rect
          className={index === pointed ? 'under' : 'sense'}
          x={0}
          y={index * high}
          width={width}
          height={high}
        />
        <text x={0} y={middle + 4}>
          {name}
        </text>
        <line className="whisker" x1={NAMES} x2={NAMES + long(p90Ms)} y1={middle} y2={middle} />
        <line
          className="whisker"
          x1={NAMES + long(p90Ms)}
          x2={NAMES + long(p90Ms)}
          y1={middle - 4}
          y2={middle + 4}
        />
        <rect
          className="bar bar-accent"
          x={NAMES}
          y={middle - 6}
          width={Math.max(2, long(medianMs))}
          height={12}
          rx={2}
        />
        <text className="spread-words" x={width} y={middle + 4} textAnchor="end">
          {span(medianMs)} · {span(p90Ms)}
        </text>
      </g>
    );
  });
}
