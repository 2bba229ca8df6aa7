/** The lines of a chart with their numbers, and the place that is left between them. */
import type { ReactNode } from 'react';
import type { Tick } from './ticks.ts';

/** A box within the drawing, in pixels. */
export interface Room {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Of the drawing's own type: 11 px letters are about 6.2 px wide. */
const LETTER = 6.2;
const BELOW = 20;
const ABOVE = 8;

/** `after` is what stands at the right of the lines, in pixels. */
export function roomFor(width: number, height: number, ticks: readonly Tick[], after = 4): Room {
  const longest = Math.max(...ticks.map(({ says }) => says.length));
  return { left: Math.ceil(longest * LETTER) + 8, right: width - after, top: ABOVE, bottom: height - BELOW };
}

interface AxesProps {
  readonly room: Room;
  /** Upwards; the last is the end of the scale. */
  readonly upward: readonly Tick[];
  readonly times: readonly Tick[];
  x(value: number): number;
  y(value: number): number;
}

export function Axes({ room, upward, times, x, y }: AxesProps): ReactNode {
  return (
    <g className="axes">
      {upward.map(({ value, says }) => (
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
