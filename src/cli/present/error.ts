/** Shows an error to people or programs: the problem, its code and the next step. */
import { styleText } from 'node:util';
import { type FaultCode, LegionError } from '../../core/model/fault.ts';
import type { CommandContext } from '../program/define-command.ts';
import { getTerminalColumns, sanitizeText, UNLIMITED_COLUMNS } from './terminal.ts';

/** Exit code, documented in docs/cli.md. */
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
  if (!(error instanceof LegionError)) throw error; // an error without a code is a defect, so its stack trace is shown
  const { code, message, next } = error.fault;
  const prefix = styleText('red', 'legion:', { stream: process.stderr });
  const advice = styleText('dim', next, { stream: process.stderr });
  const text = json
    ? JSON.stringify({ error: { code, message, next } })
    : await wrapForTerminal(
        `${prefix} ${sanitizeText(message)} [${code}]\n${advice}`,
        getTerminalColumns(stderr),
      );
  stderr.write(`${text}\n`);
  return USAGE_CODES.has(code) ? EXIT_USAGE : EXIT_FAILED;
}

/** Imported only for a terminal, because it takes a long time to load. */
async function wrapForTerminal(text: string, columns: number): Promise<string> {
  return columns === UNLIMITED_COLUMNS ? text : (await import('./fit.ts')).wrapPage(text, columns);
}
