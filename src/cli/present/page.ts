/** The parts a page of text is made of: headings, named fields, lists; safe to show, whatever the texts are. */
import { styleText } from 'node:util';
import { measureWidth, padTo } from './fit.ts';
import { safeLine, safeText } from './safe.ts';

export function heading(text: string): string {
  return `${styleText('bold', safeLine(text))}\n`;
}

/** `name  value` lines; what has no value is left out. */
export function fields(entries: readonly (readonly [name: string, value: string | undefined])[]): string {
  const given = entries.filter(([, value]) => value !== undefined && value !== '');
  const width = Math.max(0, ...given.map(([name]) => measureWidth(name)));
  return given
    .map(([name, value = '']) => `${styleText('dim', padTo(name, width))}  ${hung(value, width + 2)}\n`)
    .join('');
}

/** Nothing at all where there is nothing to list. */
export function section(title: string, body: string): string {
  return body === '' ? '' : `\n${heading(title)}${body}`;
}

export function bullets(items: readonly string[]): string {
  return items.map((item) => `  ${hung(item, 2)}\n`).join('');
}

export function paragraph(text: string): string {
  return text.trim() === '' ? '' : `${safeText(text).trimEnd()}\n`;
}

/** Further lines of a value begin under its first. */
function hung(text: string, indent: number): string {
  return safeText(text)
    .trimEnd()
    .replaceAll('\n', `\n${' '.repeat(indent)}`);
}
