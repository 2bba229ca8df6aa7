/**
 * Supports output to a terminal: reads its width, escapes untrusted text, and shows a spinner while
 * a command waits.
 */
import type { CommandContext } from '../program/define-command.ts';

/** Width of output that goes to a file or a program. Such output is never wrapped or cut. */
export const UNLIMITED_COLUMNS = Number.POSITIVE_INFINITY;

/** For a terminal that does not report its width. */
const DEFAULT_COLUMNS = 80;

/** Returns the maximum width of the output, in columns. */
export function getTerminalColumns({ isTTY, columns }: CommandContext['stdout' | 'stderr']): number {
  return isTTY === true ? (columns ?? DEFAULT_COLUMNS) : UNLIMITED_COLUMNS;
}

/**
 * Escapes untrusted text for a terminal, so that the text cannot move the cursor, change colours or
 * reverse the direction of the line. Replaces control characters, line breaks and text-direction
 * marks with visible dots.
 */
export function sanitizeLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '·');
}

/** Escapes untrusted text of several lines like `sanitizeLine`, but keeps line breaks and tabs. */
export function sanitizeText(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '·');
}

/** No progress is shown for a wait that is shorter than this. */
const SILENT_MS = 800;
const FRAME_MS = 120;
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const CLEAR_LINE = '\r\u001b[K';

/** Shows a spinner on a terminal once a wait takes longer than a person expects. */
export async function withProgress<T>(
  { stderr }: Pick<CommandContext, 'stderr'>,
  label: string | (() => string),
  wait: () => Promise<T>,
): Promise<T> {
  if (stderr.isTTY !== true) return wait();
  let frame = 0;
  let timer = setTimeout(show, SILENT_MS);
  function show(): void {
    const mark = FRAMES[frame % FRAMES.length] ?? '';
    stderr.write(`${CLEAR_LINE}${mark} ${typeof label === 'string' ? label : label()} …`);
    frame += 1;
    timer = setTimeout(show, FRAME_MS);
  }
  try {
    return await wait();
  } finally {
    clearTimeout(timer);
    if (frame > 0) stderr.write(CLEAR_LINE);
  }
}
