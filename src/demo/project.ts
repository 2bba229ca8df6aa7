/** The sample project's own code: a command that reports what is in a stockroom. */

/** The line the issue about quoted names replaces. */
export const SPLIT_AT_COMMAS = `/** The fields of a line. */
function splitLine(line) {
  return line.split(',').map((field) => field.trim());
}
`;

const CSV = `/** Reads a CSV text: a line of names, then a record a line. */
export function parseCsv(text) {
  const [head = '', ...lines] = text.split(/\\r?\\n/).filter((line) => line.trim() !== '');
  const names = splitLine(head);
  return lines.map((line) => {
    const values = splitLine(line);
    return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
  });
}

${SPLIT_AT_COMMAS}`;

/** What the issue about impossible quantities replaces. */
export const QUANTITY_AS_GIVEN = `  return { name, quantity: Number(quantity), cents: Math.round(Number(price) * 100) };
`;

const INVENTORY = `/** The stock: items made of records, and what they are worth. */
export function toItems(records) {
  return records.map(toItem);
}

export function totalCents(items) {
  return items.reduce((sum, { quantity, cents }) => sum + quantity * cents, 0);
}

function toItem({ name, quantity, price }) {
${QUANTITY_AS_GIVEN}}
`;

/** The same for large amounts. */
export const PLAIN_AMOUNT = `  return (cents / 100).toFixed(2);
`;

const MONEY = `/** An amount of money as people read it. */
export function formatCents(cents) {
${PLAIN_AMOUNT}}
`;

/** The same for the total. */
export const LINES_ONLY = `export function reportText(items) {
  return reportLines(items).map((line) => line + '\\n').join('');
}
`;

/** Where its first attempt puts the total, which is the wrong place. */
export const EVERY_LINE = `  return items.map(toLine);
`;

const REPORT = `/** The report: a line for each item. */
import { formatCents } from './project/money.js';

export function reportLines(items) {
${EVERY_LINE}}

${LINES_ONLY}
function toLine({ name, quantity, cents }) {
  return name.padEnd(16) + String(quantity).padStart(6) + ' x ' + formatCents(cents).padStart(8);
}
`;

/** What the issue about low stock adds its import and its option to. */
export const LAST_IMPORT = `import { reportLines, reportText } from './src/report.js';
`;
export const LAST_OPTION = `} else {
  process.stdout.write(reportText(read(file)));
}
`;

const COMMAND = `#!/usr/bin/env node
/** Reports what is in the stockroom: stockroom FILE [--count]. */
import { readFileSync } from 'node:fs';
import { parseCsv } from './src/csv.js';
import { toItems } from './src/inventory.js';
${LAST_IMPORT}
const [file, option] = process.argv.slice(2);

if (file === undefined) {
  console.error('Usage: stockroom FILE [--count]');
  process.exitCode = 1;
} else if (option === '--count') {
  console.log(reportLines(read(file)).length);
${LAST_OPTION}
function read(path) {
  return toItems(parseCsv(readFileSync(path, 'utf8')));
}
`;

export const SOURCE: Readonly<Record<string, string>> = {
  'bin/stockroom.js': COMMAND,
  'src/csv.js': CSV,
  'src/inventory.js': INVENTORY,
  'src/money.js': MONEY,
  'src/report.js': REPORT,
};
