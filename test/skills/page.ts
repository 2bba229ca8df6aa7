/** Parses a skill page into its front matter, code and links. */
import { parse } from 'yaml';

export interface Piece {
  readonly line: number;
  readonly text: string;
}

export interface Block extends Piece {
  /** Text after the opening backticks: `sh`, or `json handoff_write`. */
  readonly info: string;
}

export interface Page {
  /** Front matter. `undefined` if there is none, or if it is not valid YAML. */
  readonly matter: Readonly<Record<string, unknown>> | undefined;
  readonly lines: readonly string[];
  readonly blocks: readonly Block[];
  /** Text between single backticks, outside of blocks. */
  readonly codes: readonly Piece[];
  readonly links: readonly Piece[];
  /** Lines with an odd number of backticks, in which code cannot be recognised. */
  readonly torn: readonly number[];
}

export function readPage(text: string): Page {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  const prose: Piece[] = [];
  let open: { info: string; line: number; fence: string; lines: string[] } | undefined;
  lines.forEach((content, index) => {
    const line = index + 1;
    const [, fence = '', info = ''] = /^(`{3,})(.*)$/.exec(content) ?? [];
    if (open === undefined && fence !== '') open = { info: info.trim(), line, fence, lines: [] };
    else if (open === undefined) prose.push({ line, text: content });
    else if (content.trim() === open.fence) {
      blocks.push({ info: open.info, line: open.line, text: open.lines.join('\n') });
      open = undefined;
    } else open.lines.push(content);
  });
  return {
    matter: parseFrontMatter(text),
    lines,
    blocks,
    codes: prose.flatMap((piece) => matchPieces(piece, /`([^`]+)`/g)),
    links: prose.flatMap((piece) => matchPieces(piece, /\]\(([^)\s]+)\)/g)),
    torn: [
      ...prose
        .filter(({ text: content }) => (content.split('`').length - 1) % 2 === 1)
        .map(({ line }) => line),
      ...(open === undefined ? [] : [open.line]),
    ],
  };
}

function matchPieces({ line, text }: Piece, pattern: RegExp): Piece[] {
  return [...text.matchAll(pattern)].map(([, inner = '']) => ({ line, text: inner.trim() }));
}

function parseFrontMatter(text: string): Page['matter'] {
  const [, matter] = /^---\n(.*?)\n---\n/s.exec(text) ?? [];
  if (matter === undefined) return undefined;
  try {
    const data: unknown = parse(matter);
    return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
