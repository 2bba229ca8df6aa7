/** Grid lines of a chart over time, with values beside them and times below. */
import type { ReactNode } from 'react';
import type { Plot, PlotArea } from './plot.ts';
import { buildTimeTicks } from './ticks.ts';

/** Pixels between two time labels. */
const TIME_TICK_PX = 72;

export function Axes({ plot: { room, ticks, from, to, width, x, y } }: { readonly plot: Plot }): ReactNode {
  const times = buildTimeTicks(from, to, Math.max(2, Math.floor(width / TIME_TICK_PX)));
  return (
    <g className="axes">
      {ticks.map(({ value, label }) => (
        <g key={value}>
          <line
            className={value === 0 ? 'axis' : 'grid'}
            x1={room.left}
            x2={room.right}
            y1={y(value)}
            y2={y(value)}
          />
          <text x={room.left - 6} y={y(value) + 4} textAnchor="end">
            {label}
          </text>
        </g>
      ))}
      {times.map(({ value, label }) => (
        <text key={value} x={x(value)} y={room.bottom + 15} textAnchor={selectAnchor(x(value), room)}>
          {label}
        </text>
      ))}
    </g>
  );
}

/** Aligns labels at an edge so that they stay within the chart. */
function selectAnchor(x: number, { left, right }: PlotArea): 'start' | 'middle' | 'end' {
  const near = 18;
  if (x - left < near) return 'start';
  return right - x < near ? 'end' : 'middle';
}
