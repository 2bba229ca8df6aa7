/** The sample project: a small command with its tests, on any Node from 20 on and without a dependency. */
import { SOURCE } from '../project.ts';
import { TESTS } from './tests.ts';

export const PROJECT_NAME = 'stockroom';

/** What runs its tests; the second one runs the command as a whole. */
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

/** The issue about its use adds to this. */
const README = `# Stockroom

Reports what is in the stockroom, from a CSV file.
`;

const STOCK = `name,quantity,price
Hammer,12,18.50
Screws,2400,0.05
Paint brush,3,4.20
Ladder,1,89.00
`;

const CHECK_SCRIPT = `/** The quality gate: every module can be loaded, and no line ends in blanks. */
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../src/', import.meta.url);
for (const name of readdirSync(folder)) {
  const file = new URL(name, folder);
  await import(file.href);
  if (/[ \\t]$/m.test(readFileSync(file, 'utf8'))) {
    console.error(name + ': a line ends in blanks');
    process.exitCode = 1;
  }
}
`;

/** The gate checks, CI runs the tests of the modules, and the tester those of the command. */
const LEGION_CONFIG = `merge:
  auto_merge_allowed: true
commands:
  quality_gate: ${JSON.stringify(CHECK)}
  ci: ${JSON.stringify(UNIT_TESTS)}
  test: ${JSON.stringify(ACCEPTANCE_TESTS)}
`;

/** Every file by its path. */
export const PROJECT: Readonly<Record<string, string>> = {
  'README.md': README,
  'package.json': `${JSON.stringify(MANIFEST, undefined, 2)}\n`,
  'data/stock.csv': STOCK,
  'scripts/check.js': CHECK_SCRIPT,
  '.legion/config.yml': LEGION_CONFIG,
  ...SOURCE,
  ...TESTS,
};
