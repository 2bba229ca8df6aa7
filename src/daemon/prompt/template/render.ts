/** Fills a template in one pass: what a value or a block contains is never looked at again. */
import type { BlockName, VariableName } from '../../context/prompt-template.ts';
import type { Piece, Template } from '../../prompts/parse-template.ts';

export type Values = Readonly<Record<VariableName, string>>;
export type Blocks = Readonly<Partial<Record<BlockName, string>>>;

/** A value stays on its line: a folder or a branch may be named with anything. */
const BREAKING = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A paragraph for each part; a block with nothing to say leaves no trace. */
export function renderTemplate({ parts }: Template, values: Values, blocks: Blocks): string {
  return parts
    .map((part) => (part.kind === 'block' ? (blocks[part.block] ?? '') : proseOf(part.pieces, values)))
    .filter((text) => text !== '')
    .join('\n\n');
}

function proseOf(pieces: readonly Piece[], values: Values): string {
  return pieces
    .map((piece) => (typeof piece === 'string' ? piece : values[piece.variable].replace(BREAKING, '·')))
    .join('')
    .replace(/^\n+/, '')
    .trimEnd();
}
