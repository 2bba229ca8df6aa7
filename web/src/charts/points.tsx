/** Points over time, with lines at the middle of them and at what nine of ten stay below. */
import type { PointerEvent } from 'react';
import { Axes, roomFor } from './axes.tsx';
import { spanTicks, timeTicks } from './ticks.ts';

interface Point {
  readonly at: number;
  readonly ms: number;
}

interface PointsProps {
  readonly width: number;
  readonly height: number;
  readonly from: number;
  readonly to: number;
  readonly points: readonly Point[];
  readonly lines: readonly { readonly says: string; readonly ms: number }[];
  readonly pointed: number | null;
  onPoint(index: number | null): void;
}

const TIME_EVERY = 72;
/** The names of the lines stand here. */
const AFTER = 50;
/** Two names closer than this would lie on each other. */
const NAME_HEIGHT = 12;
/** The pointer has to be this near to mean a point, in pixels. */
const REACH = 24;

export function Points({ width, height, from, to, points, lines, pointed, onPoint }: PointsProps) {
  const ticks = spanTicks(Math.max(...points.map(({ ms }) => ms), 1_000), 4);
  const room = roomFor(width, height, ticks, AFTER);
  const most = ticks.at(-1)?.value ?? 1;
  const x = (at: number) => room.left + ((at - from) / (to - from)) * (room.right - room.left);
  const y = (ms: number) => room.bottom - (ms / most) * (room.bottom - room.top);
  const point = (event: PointerEvent<SVGRectElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    const far = points.map(({ at, ms }) => Math.hypot(x(at) - px, y(ms) - py));
    const nearest = far.indexOf(Math.min(...far));
    onPoint((far[nearest] ?? Number.POSITIVE_INFINITY) <= REACH ? nearest : null);
  };
  const [first, ...others] = lines;
  const names = [first, ...others].flatMap((line, index, all) => {
    if (line === undefined) return [];
    const before = all[index - 1];
    const at = y(line.ms);
    // Lines are given from the lower to the higher one: the higher name moves up where they would meet.
    const free = before === undefined ? at : Math.min(at, y(before.ms) - NAME_HEIGHT);
    return [{ ...line, at: free }];
  });
  return (
    <>
      <Axes
        room={room}
        upward={ticks}
        times={timeTicks(from, to, Math.max(2, Math.floor(width / TIME_EVERY)))}
        x={x}
        y={y}
      />
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
