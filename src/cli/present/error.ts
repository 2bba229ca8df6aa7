/** Shows an error to people or programs: what went wrong, its code, and what to do next. */
import { styleText } from 'node:util';
import { type FaultCode, LegionError } from '../../core/model/fault.ts';
import type { CommandContext } from '../command.ts';
import { safeText } from './safe.ts';
import { terminalColumns, UNLIMITED_COLUMNS } from './terminal-columns.ts';

/** Documented in docs/cli.md. */
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

const USAGE_CODES: ReadonlySet<FaultCode> = new Set([
  'usage.invalid',
  'usage.file_unreadable',
  'mode.unknown',
  'journal.missing',
]);

/** Resolves to the exit code. */
export async function reportError(
  error: unknown,
  json: boolean,
  { stderr }: Pick<CommandContext, 'stderr'>,
): Promise<number> {
  if (!(error instanceof LegionError)) throw error; // a defect: its stack is what helps
  const { code, message, next } = error.fault;
  const prefix = styleText('red', 'legion:', { stream: process.stderr });
  const advice = styleText('dim', next, { stream: process.stderr });
  const text = json
    ? JSON.stringify({ error: { code, message, next } })
    : await fitText(`${prefix} ${safeText(message)} [${code}]\n${advice}`, terminalColumns(stderr));
  stderr.write(`${text}\n`);
  return USAGE_CODES.has(code) ? EXIT_USAGE : EXIT_FAILED;
}

/** Imported only for a terminal, because it takes long to load. */
async function fitText(text: string, columns: number): Promise<string> {
  return columns === UNLIMITED_COLUMNS ? text : (await import('./fit.ts')).wrapPage(text, columns);
}
