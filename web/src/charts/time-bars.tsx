/** Draws bars over time. Each bar covers an interval of the same length. */
import type { PointerEvent } from 'react';
import { Axes } from './axes.tsx';
import type { ChartBar } from './bar.ts';
import { createPlot, type DrawingProps } from './plot.ts';
import type { AxisTick } from './ticks.ts';

interface TimeBarsProps extends DrawingProps {
  readonly bars: readonly ChartBar[];
  readonly ticks: readonly AxisTick[];
  /** Custom property that colours the bar. */
  readonly tone: 'accent' | 'money';
}

/**
 * Gap between two bars, and maximum width of a bar, in pixels. The maximum keeps a few bars from
 * filling the whole chart.
 */
const GAP = 2;
const MAX_BAR_PX = 48;

export function TimeBars({ width, height, bars, ticks, tone, pointed, onPoint }: TimeBarsProps) {
  const plot = createPlot({ width, height, ticks, from: bars[0]?.from ?? 0, to: bars.at(-1)?.to ?? 1 });
  const { room, y } = plot;
  const interval = (room.right - room.left) / Math.max(1, bars.length);
  const onPointerMove = (event: PointerEvent<SVGRectElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    onPoint(Math.min(bars.length - 1, Math.max(0, Math.floor((event.clientX - box.left) / interval))));
  };
  const barWidth = Math.max(1, Math.min(MAX_BAR_PX, interval - GAP));
  return (
    <>
      <Axes plot={plot} />
      {pointed !== null && (
        <rect
          className="under"
          x={room.left + pointed * interval}
          width={interval}
          y={room.top}
          height={room.bottom - room.top}
        />
      )}
      {bars.map(({ from: start, value }, index) => (
        <rect
          key={start}
          className={`bar bar-${tone}`}
          x={room.left + index * interval + (interval - barWidth) / 2}
          width={barWidth}
          y={y(value)}
          height={Math.max(0, room.bottom - y(value))}
          rx={Math.min(2, barWidth / 3)}
        />
      ))}
      <rect
        className="sense"
        x={room.left}
        width={Math.max(0, room.right - room.left)}
        y={0}
        height={height}
        onPointerMove={onPointerMove}
        onPointerLeave={() => onPoint(null)}
      />
    </>
  );
}
