/** A line of a screen: pieces of text with their styles, cut to the width of the screen before they are coloured. */
import { styleText } from 'node:util';
import { cutTo, measureWidth, padTo } from './fit.ts';
import { safeLine } from './safe.ts';
import type { Style } from './table.ts';

export interface Piece {
  readonly text: string;
  readonly style?: Style | undefined;
}

export type Line = readonly Piece[];

export function plain(text: string): Piece {
  return { text };
}

export function styled(style: Style, text: string): Piece {
  return { text, style };
}

export function rendered(line: Line, columns: number): string {
  let left = columns;
  let shown = '';
  for (const { text, style } of line) {
    if (left <= 0) break;
    const cut = cutTo(safeLine(text), left);
    left -= measureWidth(cut);
    shown += style === undefined || cut === '' ? cut : styleText(style, cut);
  }
  return shown;
}

/** Exactly so wide: cut or filled. */
export function column(text: string, columns: number): string {
  return padTo(cutTo(safeLine(text), columns), columns);
}
