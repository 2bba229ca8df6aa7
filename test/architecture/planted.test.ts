/** Proves every rule: a planted violation is found and named word for word, and what looks like one but is none passes. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { complaintsAbout } from './check.ts';
import { PLANTED } from './planted.ts';
import { readSourceTree } from './source-tree.ts';

const OPENING = '/** A planted module. */\n';

describe.each(Object.entries(PLANTED))('the rule "%s"', (_rule, cases) => {
  test.each(cases)('$complaint', ({ path, opening = OPENING, code, complaint }) => {
    expect(complaintsAbout(new Map([[path, opening + code]]))).toEqual([complaint]);
  });
});

describe('what looks like a violation but is none', () => {
  test.each([
    ['src/domain/x.ts', 'export const at = (Date: number) => Date + 1;'],
    ['src/domain/x.ts', 'export const at = (it: { Date: number; process: string }) => it.Date + it.process;'],
    ['src/domain/x.ts', 'export const at = { Date: 1, console: 2, fetch() {} };'],
    [
      'src/domain/x.ts',
      'export type At = Date | typeof process; export const f = (at: Date): at is Date => true;',
    ],
    [
      'src/domain/x.ts',
      'export const f = ({ process, ...rest }: Row, [crypto]: Key) => [process, rest, crypto];',
    ],
    ['src/domain/x.ts', 'export function f() { try { return 1; } catch (console) { return console; } }'],
    ['src/domain/x.ts', 'export function f(rows: Row[]) { for (const fetch of rows) return fetch; }'],
    ['src/domain/x.ts', 'export function f() { return performance(); function performance() { return 1; } }'],
    ['src/domain/x.ts', 'class Buffer {} export const made = new Buffer(); export { made as Date };'],
    ['src/domain/x.ts', "import { Date } from './y.ts'; export const at = Date;"],
    ['src/domain/x.ts', "export { process } from './y.ts';"],
    ['src/domain/x.ts', 'export const most = Math.max(1, 2);'],
    ['src/domain/x.ts', "import { z } from 'zod'; import { v5 } from 'uuid'; export const x = [z, v5];"],
    ['src/domain/x.ts', 'const NONE: ReadonlySet<string> = new Set(); const SOME = new Map([[1, 2]]);'],
    ['src/domain/x.ts', 'export function f() { let count = 0; count += 1; return count; }'],
    ['src/swarm/x.ts', "import type { Y } from '../pipeline/y.ts'; import '../health/z.ts';"],
    ['src/journal/sqlite/x.ts', "import '../journal.ts'; import './y.ts'; import '../../domain/z.ts';"],
    ['src/lib/fs/x.ts', "import '../../domain/fault.ts'; import './y.ts'; import '../async/z.ts';"],
    ['src/journal/open.ts', "import './sqlite/y.ts'; import './postgres/z.ts';"],
    [
      'src/daemon/perform/x.ts',
      "import '../../journal/journal.ts'; import '../clock.ts'; import '../../swarm/y.ts';",
    ],
    ['src/daemon/compose-journal.ts', "import '../journal/sqlite/open.ts'; import './compose.ts';"],
    ['src/http/x.ts', "import 'node:http'; import '../daemon/y.ts'; export const at = Date.now();"],
    ['src/cli/x.ts', "import '../journal/sqlite/open.ts'; import '../daemon/compose.ts';"],
    ['src/cli/main.ts', 'process.exit(process.env.CODE === undefined ? 0 : 1);'],
    ['src/config/x.ts', 'export const home = process.env.HOME;'],
    ['src/hosts/x.ts', 'process.exitCode = 1; export const environment = (process: Row) => process.env;'],
    ['src/sim/x.ts', "import '../hosts/host.ts'; import '../daemon/y.ts'; import '../health/z.ts';"],
    ['web/src/deep/x.tsx', "import '../y.tsx'; import '../../../src/domain/z.ts'; import 'react';"],
    ['web/src/x.tsx', 'export const X = ({ text }: P) => <p title={text}>{text}</p>;'],
    ['web/vite.config.ts', "import { defineConfig } from 'vite'; export const x = defineConfig;"],
    ['src/http/x.ts', "export const page = { innerHTML: 'never' };"],
  ])('%s: %s', (path, code) => {
    expect(complaintsAbout(new Map([[path, OPENING + code]]))).toEqual([]);
  });
});

test('a file of 300 lines and one that opens with a line for the shell pass', () => {
  expect(complaintsAbout(new Map([['src/daemon/x.ts', OPENING + '// line\n'.repeat(299)]]))).toEqual([]);
  expect(complaintsAbout(new Map([['src/cli/x.ts', `#!/usr/bin/env node\n${OPENING}`]]))).toEqual([]);
});

test('a tree on disk is read with all its folders', () => {
  const root = mkdtempSync(join(tmpdir(), 'legion-architecture-'));
  try {
    for (const path of ['src/domain/deep/x.ts', 'src/health/y.ts']) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), `${OPENING}import '../../journal/journal.ts';\n`);
    }
    expect(complaintsAbout(readSourceTree(root, 'src'))).toEqual([
      expect.stringMatching(
        /^src\/domain\/deep\/x\.ts:2 \[arrow\] domain imports src\/journal\/journal\.ts,/,
      ),
      expect.stringMatching(/^src\/health\/y\.ts:2 \[outside src\] imports journal\/journal\.ts;/),
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
