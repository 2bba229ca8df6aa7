/**
 * Builds the parts of a text page, such as headings, named fields and lists, and prints pages and
 * JSON. Escapes all text for the terminal.
 */
import { styleText } from 'node:util';
import type { CommandContext } from '../program/define-command.ts';
import { measureWidth, padText, wrapPage } from './fit.ts';
import { getTerminalColumns, sanitizeLine, sanitizeText } from './terminal.ts';

export function renderHeading(text: string): string {
  return `${styleText('bold', sanitizeLine(text))}\n`;
}

/** Formats `name value` lines and omits names without a value. */
export function renderFields(
  entries: readonly (readonly [name: string, value: string | undefined])[],
): string {
  const filled = entries.filter(([, value]) => value !== undefined && value !== '');
  const width = Math.max(0, ...filled.map(([name]) => measureWidth(name)));
  return filled
    .map(
      ([name, value = '']) =>
        `${styleText('dim', padText(name, width))}  ${formatHanging(value, width + 2)}\n`,
    )
    .join('');
}

/** Returns an empty text if there is nothing to list. */
export function renderSection(title: string, body: string): string {
  return body === '' ? '' : `\n${renderHeading(title)}${body}`;
}

export function renderBullets(items: readonly string[]): string {
  return items.map((item) => `  ${formatHanging(item, 2)}\n`).join('');
}

export function renderParagraph(text: string): string {
  return text.trim() === '' ? '' : `${sanitizeText(text).trimEnd()}\n`;
}

/** Aligns the second and further lines of a value with its first line. */
function formatHanging(text: string, indent: number): string {
  return sanitizeText(text)
    .trimEnd()
    .replaceAll('\n', `\n${' '.repeat(indent)}`);
}

/** Prints a page, wrapped to the width of the terminal. */
export function printPage({ stdout }: Pick<CommandContext, 'stdout'>, text: string): void {
  stdout.write(wrapPage(text, getTerminalColumns(stdout)));
}

/** Prints one line of JSON, for programs. */
export function printJson({ stdout }: Pick<CommandContext, 'stdout'>, data: unknown): void {
  stdout.write(`${JSON.stringify(data)}\n`);
}
