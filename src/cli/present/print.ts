/** Prints the result of a command: a page for people, or one line of JSON for programs. */
import type { CommandContext } from '../command.ts';
import { wrapPage } from './fit.ts';
import { terminalColumns } from './terminal-columns.ts';

export function printPage({ stdout }: Pick<CommandContext, 'stdout'>, text: string): void {
  stdout.write(wrapPage(text, terminalColumns(stdout)));
}

export function printJson({ stdout }: Pick<CommandContext, 'stdout'>, data: unknown): void {
  stdout.write(`${JSON.stringify(data)}\n`);
}
