/** The lines of a chart over time, with their numbers beside them and its times below. */
import type { ReactNode } from 'react';
import type { Plot, Room } from './plot.ts';
import { timeTicks } from './ticks.ts';

/** Pixels between two times below. */
const TIME_EVERY = 72;

export function Axes({ plot: { room, ticks, from, to, width, x, y } }: { readonly plot: Plot }): ReactNode {
  const times = timeTicks(from, to, Math.max(2, Math.floor(width / TIME_EVERY)));
  return (
    <g className="axes">
      {ticks.map(({ value, says }) => (
        <g key={value}>
          <line
            className={value === 0 ? 'axis' : 'grid'}
            x1={room.left}
            x2={room.right}
            y1={y(value)}
            y2={y(value)}
          />
          <text x={room.left - 6} y={y(value) + 4} textAnchor="end">
            {says}
          </text>
        </g>
      ))}
      {times.map(({ value, says }) => (
        <text key={value} x={x(value)} y={room.bottom + 15} textAnchor={anchorAt(x(value), room)}>
          {says}
        </text>
      ))}
    </g>
  );
}

/** What stands at an edge stays within it. */
function anchorAt(x: number, { left, right }: Room): 'start' | 'middle' | 'end' {
  const near = 18;
  if (x - left < near) return 'start';
  return right - x < near ? 'end' : 'middle';
}
