/**
 * Tests every rule: each planted violation is reported with the exact text, and similar valid code
 * passes.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listViolations } from './check.ts';
import { PLANTED } from './planted.ts';
import { readSourceTree } from './source-tree.ts';

const OPENING = '/** A planted module. */\n';

describe.each(Object.entries(PLANTED))('the rule "%s" reports', (_rule, cases) => {
  test.each(cases)('$complaint', ({ path, siblings = 0, opening = OPENING, code, complaint }) => {
    const others = Array.from({ length: siblings }, (_, index) => join(dirname(path), `other-${index}.ts`));
    const tree = new Map([[path, opening + code], ...others.map((other) => [other, OPENING] as const)]);
    expect(listViolations(tree)).toEqual([complaint]);
  });
});

describe('accepts similar valid code', () => {
  test.each([
    ['src/core/model/x.ts', 'export const at = (Date: number) => Date + 1;'],
    [
      'src/core/model/x.ts',
      'export const at = (it: { Date: number; process: string }) => it.Date + it.process;',
    ],
    ['src/core/model/x.ts', 'export const at = { Date: 1, console: 2, fetch() {} };'],
    [
      'src/core/model/x.ts',
      'export type At = Date | typeof process; export const f = (at: Date): at is Date => true;',
    ],
    [
      'src/core/model/x.ts',
      'export const f = ({ process, ...rest }: Row, [crypto]: Key) => [process, rest, crypto];',
    ],
    ['src/core/model/x.ts', 'export function f() { try { return 1; } catch (console) { return console; } }'],
    ['src/core/model/x.ts', 'export function f(rows: Row[]) { for (const fetch of rows) return fetch; }'],
    [
      'src/core/model/x.ts',
      'export function f() { return performance(); function performance() { return 1; } }',
    ],
    ['src/core/model/x.ts', 'class Buffer {} export const made = new Buffer(); export { made as Date };'],
    ['src/core/model/x.ts', "import { Date } from './y.ts'; export const at = Date;"],
    ['src/core/model/x.ts', "export { process } from './y.ts';"],
    ['src/core/model/x.ts', 'export const most = Math.max(1, 2);'],
    ['src/core/model/x.ts', "import { z } from 'zod'; import { v5 } from 'uuid'; export const x = [z, v5];"],
    ['src/core/model/x.ts', 'const NONE: ReadonlySet<string> = new Set(); const SOME = new Map([[1, 2]]);'],
    ['src/core/model/x.ts', 'export function f() { let count = 0; count += 1; return count; }'],
    ['src/core/state/x.ts', "import type { Y } from '../pipeline/y.ts'; import '../health/z.ts';"],
    [
      'src/journal/sqlite/x.ts',
      "import '../../ports/journal.ts'; import './y.ts'; import '../../core/model/z.ts';",
    ],
    ['src/lib/fs/x.ts', "import '../../core/model/fault.ts'; import './y.ts'; import '../async/z.ts';"],
    ['src/integrations/github/forge/x.ts', "import '../client/y.ts'; import '../../forge-support/z.ts';"],
    ['src/agents/codex/x.ts', "import '../runner/y.ts'; import '../driven-agent.ts';"],
    [
      'src/daemon/commands/x.ts',
      "import '../../ports/journal.ts'; import '../supervisor/y.ts'; import '../context/z.ts';",
    ],
    ['src/daemon/composition/x.ts', "import '../../journal/sqlite/open.ts'; import '../loop/y.ts';"],
    ['src/http/x.ts', "import 'node:http'; import '../daemon/daemon.ts'; export const at = Date.now();"],
    ['src/cli/x.ts', "import '../journal/sqlite/open.ts'; import '../daemon/main.ts';"],
    ['src/cli/main.ts', 'process.exit(process.env.CODE === undefined ? 0 : 1);'],
    ['src/config/x.ts', 'export const home = process.env.HOME;'],
    ['src/hosts/x.ts', 'process.exitCode = 1; export const environment = (process: Row) => process.env;'],
    [
      'src/sim/x.ts',
      "import '../ports/host.ts'; import '../daemon/loop/y.ts'; import '../core/health/z.ts';",
    ],
    ['web/src/deep/x.tsx', "import '../y.tsx'; import '../../../src/core/model/z.ts'; import 'react';"],
    ['web/src/x.tsx', 'export const X = ({ text }: P) => <p title={text}>{text}</p>;'],
    ['web/vite.config.ts', "import { defineConfig } from 'vite'; export const x = defineConfig;"],
    ['src/http/x.ts', "export const page = { innerHTML: 'never' };"],
  ])('%s: %s', (path, code) => {
    expect(listViolations(new Map([[path, OPENING + code]]))).toEqual([]);
  });
});

test('accepts a file of 400 lines and one that opens with a shebang', () => {
  expect(listViolations(new Map([['src/daemon/loop/x.ts', OPENING + '// line\n'.repeat(399)]]))).toEqual([]);
  expect(listViolations(new Map([['src/cli/x.ts', `#!/usr/bin/env node\n${OPENING}`]]))).toEqual([]);
});

test('reads a tree on disk with all its directories', () => {
  const root = mkdtempSync(join(tmpdir(), 'legion-architecture-'));
  try {
    for (const path of ['src/core/model/deep/x.ts', 'src/core/health/y.ts']) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), `${OPENING}import '../../../ports/journal.ts';\n`);
    }
    expect(listViolations(readSourceTree(root, 'src'))).toEqual([
      expect.stringMatching(/^src\/core\/health\/y\.ts:2 \[outside src\] imports ports\/journal\.ts;/),
      expect.stringMatching(
        /^src\/core\/model\/deep\/x\.ts:2 \[import direction\] core\/model imports src\/ports\/journal\.ts,/,
      ),
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
