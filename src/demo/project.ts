/**
 * Defines the sample project: a small command with tests, without dependencies, for Node 20 or
 * newer.
 */

/** The issue about quoted names replaces this code. */
export const SPLIT_AT_COMMAS = `/** The fields of a line. */
function splitLine(line) {
  return line.split(',').map((field) => field.trim());
}
`;

const CSV = `/** Reads a CSV text: a line of names, then one record per line. */
export function parseCsv(text) {
  const [head = '', ...lines] = text.split(/\\r?\\n/).filter((line) => line.trim() !== '');
  const names = splitLine(head);
  return lines.map((line) => {
    const values = splitLine(line);
    return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
  });
}

${SPLIT_AT_COMMAS}`;

/** The issue about impossible quantities replaces this code. */
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

/** The issue about large amounts replaces this code. */
export const PLAIN_AMOUNT = `  return (cents / 100).toFixed(2);
`;

const MONEY = `/** An amount of money as people read it. */
export function formatCents(cents) {
${PLAIN_AMOUNT}}
`;

/** The issue about the total replaces this code. */
export const LINES_ONLY = `export function reportText(items) {
  return reportLines(items).map((line) => line + '\\n').join('');
}
`;

/** The first attempt at the total wrongly changes this code. */
export const EVERY_LINE = `  return items.map(toLine);
`;

const REPORT = `/** The report: a line for each item. */
import { formatCents } from './money.js';

export function reportLines(items) {
${EVERY_LINE}}

${LINES_ONLY}
function toLine({ name, quantity, cents }) {
  return name.padEnd(16) + String(quantity).padStart(6) + ' x ' + formatCents(cents).padStart(8);
}
`;

/** The issue about low stock adds its import and its option at these two places. */
export const LAST_IMPORT = `import { reportLines, reportText } from '../src/report.js';
`;
export const LAST_OPTION = `} else {
  process.stdout.write(reportText(read(file)));
}
`;

const COMMAND = `#!/usr/bin/env node
/** Reports what is in the stockroom: stockroom FILE [--count]. */
import { readFileSync } from 'node:fs';
import { parseCsv } from '../src/csv.js';
import { toItems } from '../src/inventory.js';
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

/** The sample project's code: a command that reports what is in a stockroom. */
const SOURCE: Readonly<Record<string, string>> = {
  'bin/stockroom.js': COMMAND,
  'src/csv.js': CSV,
  'src/inventory.js': INVENTORY,
  'src/money.js': MONEY,
  'src/report.js': REPORT,
};

const CSV_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCsv } from '../src/csv.js';

test('reads each line as a record under the names of the first line', () => {
  assert.deepEqual(parseCsv('name,quantity\\nHammer, 12\\n'), [{ name: 'Hammer', quantity: '12' }]);
});

test('reads a missing field as empty', () => {
  assert.deepEqual(parseCsv('name,quantity\\nHammer'), [{ name: 'Hammer', quantity: '' }]);
});
`;

const INVENTORY_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toItems, totalCents } from '../src/inventory.js';

test('reads the quantity and the price in cents', () => {
  const [item] = toItems([{ name: 'Hammer', quantity: '12', price: '18.50' }]);
  assert.deepEqual(item, { name: 'Hammer', quantity: 12, cents: 1850 });
});

test('adds up the value of all items', () => {
  assert.equal(totalCents([{ quantity: 2, cents: 150 }, { quantity: 1, cents: 99 }]), 399);
});
`;

const MONEY_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCents } from '../src/money.js';

test('always prints two digits for cents', () => {
  assert.equal(formatCents(1850), '18.50');
  assert.equal(formatCents(5), '0.05');
});
`;

const REPORT_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportText } from '../src/report.js';

const HAMMERS = { name: 'Hammer', quantity: 12, cents: 1850 };

test('prints a line with quantity and price for each item', () => {
  assert.match(reportText([HAMMERS]), /^Hammer +12 x +18\\.50\\n/);
});
`;

/** `node --test` alone does not find this file. The tester runs it; CI does not. */
const ACCEPTANCE = `import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

function stockroom(...args) {
  const { stdout, status } = spawnSync(process.execPath, ['bin/stockroom.js', ...args], { encoding: 'utf8' });
  return { stdout, status };
}

test('the report lists every item', () => {
  const { stdout } = stockroom('data/stock.csv');
  for (const name of ['Hammer', 'Screws', 'Paint brush', 'Ladder']) assert.ok(stdout.includes(name), name);
});

test('--count prints the number of items', () => {
  assert.equal(stockroom('data/stock.csv', '--count').stdout, '4\\n');
});

test('fails without a file', () => {
  assert.equal(stockroom().status, 1);
});
`;

/** The sample project's tests: those of its modules, and those of the command as a whole. */
const TESTS: Readonly<Record<string, string>> = {
  'test/csv.test.js': CSV_TEST,
  'test/inventory.test.js': INVENTORY_TEST,
  'test/money.test.js': MONEY_TEST,
  'test/report.test.js': REPORT_TEST,
  'acceptance/command.js': ACCEPTANCE,
};

export const PROJECT_NAME = 'stockroom';

/**
 * Commands that run the sample project's tests. The second one tests the project's command-line
 * program as a whole.
 */
export const UNIT_TESTS = ['node', '--test'] as const;
export const ACCEPTANCE_TESTS = ['node', '--test', 'acceptance/command.js'] as const;
const CHECK = ['node', 'scripts/check.js'] as const;

const MANIFEST = {
  name: PROJECT_NAME,
  version: '1.0.0',
  private: true,
  description: 'Reports what is in the stockroom',
  type: 'module',
  bin: { stockroom: 'bin/stockroom.js' },
  scripts: {
    test: `${UNIT_TESTS.join(' ')} && ${ACCEPTANCE_TESTS.join(' ')}`,
    check: CHECK.join(' '),
  },
  engines: { node: '>=20' },
};

/** The issue about usage extends this text. */
const README = `# Stockroom

Reports what is in the stockroom, from a CSV file.
`;

const STOCK = `name,quantity,price
Hammer,12,18.50
Screws,2400,0.05
Paint brush,3,4.20
Ladder,1,89.00
`;

const CHECK_SCRIPT = `/** The quality gate: every module loads, and no line has trailing spaces. */
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../src/', import.meta.url);
for (const name of readdirSync(folder)) {
  const file = new URL(name, folder);
  await import(file.href);
  if (/[ \\t]$/m.test(readFileSync(file, 'utf8'))) {
    console.error(name + ': a line has trailing spaces');
    process.exitCode = 1;
  }
}
`;

/**
 * The merge gate runs the check, CI runs the module tests, and the tester runs the tests of the
 * command.
 */
const LEGION_CONFIG = `merge:
  auto_merge_allowed: true
commands:
  quality_gate: ${JSON.stringify(CHECK)}
  ci: ${JSON.stringify(UNIT_TESTS)}
  test: ${JSON.stringify(ACCEPTANCE_TESTS)}
`;

/** Contents of every file, by path. */
export const PROJECT: Readonly<Record<string, string>> = {
  'README.md': README,
  'package.json': `${JSON.stringify(MANIFEST, undefined, 2)}\n`,
  'data/stock.csv': STOCK,
  'scripts/check.js': CHECK_SCRIPT,
  '.legion/config.yml': LEGION_CONFIG,
  ...SOURCE,
  ...TESTS,
};
