/** Writes the table of `docs/errors.md` from the error catalogue. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CATALOGUE } from '../src/core/model/fault.ts';

const DOCUMENT = join(dirname(import.meta.dirname), 'docs/errors.md');
const HEADING = ['Code', 'HTTP', 'Nature', 'Meaning', 'What to do'];

// The prose above the table is written by hand. Everything from the first "|" on is generated.
const [prose = ''] = readFileSync(DOCUMENT, 'utf8').split('\n|');
writeFileSync(DOCUMENT, `${prose.trimEnd()}\n\n${renderErrorTable()}`);

function renderErrorTable(): string {
  const rows = Object.entries(CATALOGUE).map(([code, { http, nature, meaning, next }]) =>
    renderTableRow([`\`${code}\``, String(http), nature, meaning, next]),
  );
  return [renderTableRow(HEADING), renderTableRow(HEADING.map(() => '---')), ...rows, ''].join('\n');
}

function renderTableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
