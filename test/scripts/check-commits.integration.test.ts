import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const SCRIPT = join(import.meta.dirname, '../../scripts/check-commits.ts');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'legion-commits-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: readonly string[]): string {
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  return execFileSync('git', ['-C', folder, ...author, ...args])
    .toString()
    .trim();
}

function commit(subject: string): void {
  git('commit', '-q', '--allow-empty', '-m', subject);
}

function check(): { code: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, folder], { encoding: 'utf8' });
  return { code: status, text: stdout + stderr };
}

function startChecking(): void {
  git('init', '-q');
  commit('Anything goes before the named commit');
  writeFileSync(join(folder, '.commits-checked-since'), `${git('rev-parse', 'HEAD')}\n`);
}

test('subjects after the starting commit pass if they have a type and an imperative summary', () => {
  startChecking();
  for (const subject of ['fix(web): search the current query', 'mechanical: move files', 'docs: add a map'])
    commit(subject);
  expect(check()).toEqual({ code: 0, text: '' });
});

test.each([
  ['Fix the search', 'Write "type(scope): imperative summary"'],
  ['fix(web): search the current query.', 'without a full stop'],
  ['feature(web): add a search', 'Types: build, chore, ci'],
  [`fix(web): ${'x'.repeat(63)}`, '73 characters; at most 72 are allowed.'],
])('the subject "%s" fails, and the reason is printed', (subject, reason) => {
  startChecking();
  commit('docs: add a map');
  commit(subject);
  const { code, text } = check();
  expect(code).toBe(1);
  expect(text).toContain(reason);
  expect(text).toContain(subject);
  expect(text).not.toContain('docs: add a map');
});

test('the check is skipped without .git and in a clone that lacks the starting commit', () => {
  expect(check()).toEqual({
    code: 0,
    text: 'Commit subjects are not checked: this directory has no .git.\n',
  });
  git('init', '-q');
  commit('Anything');
  writeFileSync(join(folder, '.commits-checked-since'), `${'a'.repeat(40)}\n`);
  expect(check()).toMatchObject({ code: 0, text: expect.stringContaining('does not contain') });
});
