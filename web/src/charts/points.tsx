/** Draws points over time with lines at the median and the 90th percentile. */
import type { PointerEvent } from 'react';
import { Axes } from './axes.tsx';
import { createPlot, type DrawingProps } from './plot.ts';
import { buildDurationTicks } from './ticks.ts';

interface PointsProps extends DrawingProps {
  readonly from: number;
  readonly to: number;
  readonly points: readonly { readonly at: number; readonly ms: number }[];
  readonly lines: readonly { readonly label: string; readonly ms: number }[];
}

/** Width in pixels reserved for the names of the lines. */
const AFTER = 50;
/** Minimum vertical distance in pixels between two names, so that they do not overlap. */
const NAME_HEIGHT = 12;
/** Maximum distance in pixels at which the pointer selects a point. */
const REACH = 24;

export function Points({ width, height, from, to, points, lines, pointed, onPoint }: PointsProps) {
  const ticks = buildDurationTicks(Math.max(...points.map(({ ms }) => ms), 1_000), 4);
  const plot = createPlot({ width, height, from, to, ticks, after: AFTER });
  const { room, x, y } = plot;
  const onPointerMove = (event: PointerEvent<SVGRectElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    const distances = points.map(({ at, ms }) => Math.hypot(x(at) - px, y(ms) - py));
    const nearest = distances.indexOf(Math.min(...distances));
    onPoint((distances[nearest] ?? Number.POSITIVE_INFINITY) <= REACH ? nearest : null);
  };
  const names = lines.map((line, index) => {
    const before = lines[index - 1];
    const at = y(line.ms);
    // `lines` is in ascending order. If two names would overlap, the name of the higher line moves
    // up.
    return { ...line, at: before === undefined ? at : Math.min(at, y(before.ms) - NAME_HEIGHT) };
  });
  return (
    <>
      <Axes plot={plot} />
      {points.map(({ at, ms }, index) => (
        <circle
          // biome-ignore lint/suspicious/noArrayIndexKey: two issues may have the same finish time and duration.
          key={index}
          className={index === pointed ? 'point is-pointed' : 'point'}
          cx={x(at)}
          cy={y(ms)}
          r={index === pointed ? 5 : 3.5}
        />
      ))}
      {names.map(({ label, ms, at }, index) => (
        <g key={label} className={index === 0 ? 'level' : 'level level-high'}>
          <line x1={room.left} x2={room.right} y1={y(ms)} y2={y(ms)} />
          <text x={room.right + 5} y={at + 4}>
            {label}
          </text>
        </g>
      ))}
      <rect
        className="sense"
        x={0}
        y={0}
        width={width}
        height={height}
        onPointerMove={onPointerMove}
        onPointerLeave={() => onPoint(null)}
      />
    </>
  );
}
