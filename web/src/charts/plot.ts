/** Where things stand in a drawing over time: the place between its lines, and the way from a value to a pixel. Pure. */
import type { Tick } from './ticks.ts';

/** Every drawing has a size, and tells which of its parts is pointed at. */
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
  readonly ticks: readonly Tick[];
  /** The box between the lines, in pixels. */
  readonly room: Room;
  x(at: number): number;
  y(value: number): number;
}

export interface Room {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface PlotOptions extends Pick<Plot, 'from' | 'to' | 'width'> {
  readonly height: number;
  /** Upwards; the last is the end of the scale. */
  readonly ticks: readonly Tick[];
  /** What stands at the right of the lines, in pixels. */
  readonly after?: number;
}

/** Of the drawing's own type: 11 px letters are about 6.2 px wide. */
const LETTER = 6.2;
const BELOW = 20;
const ABOVE = 8;

export function plotOf({ from, to, width, height, ticks, after = 4 }: PlotOptions): Plot {
  const longest = Math.max(...ticks.map(({ says }) => says.length));
  const [left, right] = [Math.ceil(longest * LETTER) + 8, width - after];
  const [top, bottom] = [ABOVE, height - BELOW];
  const most = ticks.at(-1)?.value ?? 1;
  return {
    ...{ from, to, width, ticks, room: { left, right, top, bottom } },
    x: (at) => left + ((at - from) / (to - from)) * (right - left),
    y: (value) => bottom - (value / most) * (bottom - top),
  };
}
