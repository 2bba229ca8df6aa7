/** Points over time, with lines at the middle of them and at what nine of ten stay below. */
import type { PointerEvent } from 'react';
import { Axes } from './axes.tsx';
import { type DrawingProps, plotOf } from './plot.ts';
import { spanTicks } from './ticks.ts';

interface PointsProps extends DrawingProps {
  readonly from: number;
  readonly to: number;
  readonly points: readonly { readonly at: number; readonly ms: number }[];
  readonly lines: readonly { readonly says: string; readonly ms: number }[];
}

/** The names of the lines stand here. */
const AFTER = 50;
/** Two names closer than this would lie on each other. */
const NAME_HEIGHT = 12;
/** The pointer has to be this near to mean a point, in pixels. */
const REACH = 24;

export function Points({ width, height, from, to, points, lines, pointed, onPoint }: PointsProps) {
  const ticks = spanTicks(Math.max(...points.map(({ ms }) => ms), 1_000), 4);
  const plot = plotOf({ width, height, from, to, ticks, after: AFTER });
  const { room, x, y } = plot;
  const point = (event: PointerEvent<SVGRectElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    const far = points.map(({ at, ms }) => Math.hypot(x(at) - px, y(ms) - py));
    const nearest = far.indexOf(Math.min(...far));
    onPoint((far[nearest] ?? Number.POSITIVE_INFINITY) <= REACH ? nearest : null);
  };
  const names = lines.map((line, index) => {
    const before = lines[index - 1];
    const at = y(line.ms);
    // Lines are given from the lower to the higher one: the higher name moves up where they would meet.
    return { ...line, at: before === undefined ? at : Math.min(at, y(before.ms) - NAME_HEIGHT) };
  });
  return (
    <>
      <Axes plot={plot} />
      {points.map(({ at, ms }, index) => (
        <circle
          // biome-ignore lint/suspicious/noArrayIndexKey: two issues may be done at one moment, after the same time.
          key={index}
          className={index === pointed ? 'point is-pointed' : 'point'}
          cx={x(at)}
          cy={y(ms)}
          r={index === pointed ? 5 : 3.5}
        />
      ))}
      {names.map(({ says, ms, at }, index) => (
        <g key={says} className={index === 0 ? 'level' : 'level level-high'}>
          <line x1={room.left} x2={room.right} y1={y(ms)} y2={y(ms)} />
          <text x={room.right + 5} y={at + 4}>
            {says}
          </text>
        </g>
      ))}
      <rect
        className="sense"
        x={0}
        y={0}
        width={width}
        height={height}
        onPointerMove={point}
        onPointerLeave={() => onPoint(null)}
      />
    </>
  );
}
