/** The sample project's tests: those of its modules, and those of the command as a whole. */

const CSV_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCsv } from '../src/csv.js';

test('each line is a record under the names of the first line', () => {
  assert.deepEqual(parseCsv('name,quantity\\nHammer, 12\\n'), [{ name: 'Hammer', quantity: '12' }]);
});

test('a field that is missing is empty', () => {
  assert.deepEqual(parseCsv('name,quantity\\nHammer'), [{ name: 'Hammer', quantity: '' }]);
});
`;

const INVENTORY_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toItems, totalCents } from '../src/inventory.js';

test('an item has its quantity and its price in cents', () => {
  const [item] = toItems([{ name: 'Hammer', quantity: '12', price: '18.50' }]);
  assert.deepEqual(item, { name: 'Hammer', quantity: 12, cents: 1850 });
});

test('the stock is worth what its items are worth together', () => {
  assert.equal(totalCents([{ quantity: 2, cents: 150 }, { quantity: 1, cents: 99 }]), 399);
});
`;

const MONEY_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCents } from '../src/money.js';

test('cents are always two digits', () => {
  assert.equal(formatCents(1850), '18.50');
  assert.equal(formatCents(5), '0.05');
});
`;

const REPORT_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportText } from '../src/report.js';

const HAMMERS = { name: 'Hammer', quantity: 12, cents: 1850 };

test('each item has a line with its quantity and its price', () => {
  assert.match(reportText([HAMMERS]), /^Hammer +12 x +18\\.50\\n/);
});
`;

/** Not found by \`node --test\` alone: the tester runs it, CI does not. */
const ACCEPTANCE = `import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

function stockroom(...args) {
  const { stdout, status } = spawnSync(process.execPath, ['bin/stockroom.js', ...args], { encoding: 'utf8' });
  return { stdout, status };
}

test('the report names every item', () => {
  const { stdout } = stockroom('data/stock.csv');
  for (const name of ['Hammer', 'Screws', 'Paint brush', 'Ladder']) assert.ok(stdout.includes(name), name);
});

test('--count prints how many items there are', () => {
  assert.equal(stockroom('data/stock.csv', '--count').stdout, '4\\n');
});

test('without a file it fails', () => {
  assert.equal(stockroom().status, 1);
});
`;

export const TESTS: Readonly<Record<string, string>> = {
  'test/csv.test.js': CSV_TEST,
  'test/inventory.test.js': INVENTORY_TEST,
  'test/money.test.js': MONEY_TEST,
  'test/report.test.js': REPORT_TEST,
  'acceptance/command.js': ACCEPTANCE,
};
