/**
 * Computes the geometry of a drawing over time: its plot area, and the pixel position of each
 * value. Pure.
 */
import type { AxisTick } from './ticks.ts';

/** Size of a drawing, and a callback for the part under the pointer. */
export interface DrawingProps {
  readonly width: number;
  readonly height: number;
  readonly pointed: number | null;
  onPoint(index: number | null): void;
}

export interface Plot {
  readonly from: number;
  readonly to: number;
  readonly width: number;
  readonly ticks: readonly AxisTick[];
  /** Plot area in pixels. */
  readonly room: PlotArea;
  x(at: number): number;
  y(value: number): number;
}

export interface PlotArea {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface PlotOptions extends Pick<Plot, 'from' | 'to' | 'width'> {
  readonly height: number;
  /** Ticks in ascending order. The last one is the end of the scale. */
  readonly ticks: readonly AxisTick[];
  /** Width in pixels that is reserved to the right of the lines. */
  readonly after?: number;
}

/** Average letter width in pixels at the drawing's font size of 11 px. */
const LETTER_PX = 6.2;
const BELOW = 20;
const ABOVE = 8;

export function createPlot({ from, to, width, height, ticks, after = 4 }: PlotOptions): Plot {
  const longest = Math.max(...ticks.map(({ label }) => label.length));
  const [left, right] = [Math.ceil(longest * LETTER_PX) + 8, width - after];
  const [top, bottom] = [ABOVE, height - BELOW];
  const max = ticks.at(-1)?.value ?? 1;
  return {
    from,
    to,
    width,
    ticks,
    room: { left, right, top, bottom },
    x: (at) => left + ((at - from) / (to - from)) * (right - left),
    y: (value) => bottom - (value / max) * (bottom - top),
  };
}
