/** What is shown of a demo, as pieces of a line. */
import type { Mood, Told } from '../../../demo/telling.ts';
import { type Line, type Piece, plain, styled } from '../../present/line.ts';
import type { Style } from '../../present/table.ts';

const MOODS: Readonly<Record<Mood, Style | undefined>> = {
  plain: undefined,
  good: 'green',
  bad: 'red',
  person: 'yellow',
};

/** Seconds since the beginning. */
export function clock(ms: number): Piece {
  return styled('dim', `${(Math.max(0, ms) / 1_000).toFixed(1).padStart(6)}s  `);
}

export function personLine(issue: string | undefined, text: string): Line {
  return [named(issue), styled('yellow', `you (played by the demo): ${text}`)];
}

export function toldLine(sentence: Told): Line {
  return [named(sentence.issue), toldPiece(sentence)];
}

export function toldPiece({ text, mood }: Told): Piece {
  return { text, style: MOODS[mood] };
}

function named(issue = ''): Piece {
  return plain(`${issue.padEnd(7)} `);
}
