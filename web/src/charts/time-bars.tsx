/** Bars over time: one for each of equal parts of it. */
import type { PointerEvent } from 'react';
import { Axes } from './axes.tsx';
import type { Bar } from './bar.ts';
import { type DrawingProps, plotOf } from './plot.ts';
import type { Tick } from './ticks.ts';

interface TimeBarsProps extends DrawingProps {
  readonly bars: readonly Bar[];
  readonly ticks: readonly Tick[];
  /** Which of the custom properties colours it. */
  readonly tone: 'accent' | 'money';
}

/** Between two bars, and at most so wide: four bars are no wall. */
const GAP = 2;
const WIDEST = 48;

export function TimeBars({ width, height, bars, ticks, tone, pointed, onPoint }: TimeBarsProps) {
  const plot = plotOf({ width, height, ticks, from: bars[0]?.from ?? 0, to: bars.at(-1)?.to ?? 1 });
  const { room, y } = plot;
  const part = (room.right - room.left) / Math.max(1, bars.length);
  const point = (event: PointerEvent<SVGRectElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    onPoint(Math.min(bars.length - 1, Math.max(0, Math.floor((event.clientX - box.left) / part))));
  };
  const wide = Math.max(1, Math.min(WIDEST, part - GAP));
  return (
    <>
      <Axes plot={plot} />
      {pointed !== null && (
        <rect
          className="under"
          x={room.left + pointed * part}
          width={part}
          y={room.top}
          height={room.bottom - room.top}
        />
      )}
      {bars.map(({ from: begins, value }, index) => (
        <rect
          key={begins}
          className={`bar bar-${tone}`}
          x={room.left + index * part + (part - wide) / 2}
          width={wide}
          y={y(value)}
          height={Math.max(0, room.bottom - y(value))}
          rx={Math.min(2, wide / 3)}
        />
      ))}
      <rect
        className="sense"
        x={room.left}
        width={Math.max(0, room.right - room.left)}
        y={0}
        height={height}
        onPointerMove={point}
        onPointerLeave={() => onPoint(null)}
      />
    </>
  );
}
