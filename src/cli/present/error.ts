/** Errors as a person or a machine reads them: what went wrong, its code, and what to do next. */
import { styleText } from 'node:util';
import { LegionError } from '../../domain/fault.ts';
import { safeText } from './safe.ts';

export function printError(error: unknown, json: boolean): void {
  if (!(error instanceof LegionError)) throw error; // a defect: its stack is what helps
  const { code, message, next } = error.fault;
  const { stderr } = process;
  const text = json
    ? JSON.stringify({ error: { code, message, next } })
    : `${styleText('red', 'legion:', { stream: stderr })} ${safeText(message)} [${code}]\n${styleText('dim', next, { stream: stderr })}`;
  stderr.write(`${text}\n`);
}
