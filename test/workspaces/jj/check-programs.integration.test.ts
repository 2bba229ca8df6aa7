/** Tests that an unsuitable jj, git or repository is reported as one clear problem each. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findJjProblems } from '../../../src/workspaces/jj/check-programs.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'legion-jj-programs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function install(program: string, version: string): void {
  const file = join(folder, program);
  writeFileSync(file, `#!/bin/sh\necho "${version}"\n`);
  chmodSync(file, 0o755);
}

async function findCodes(commons: readonly string[] = []): Promise<readonly string[]> {
  return (await findJjProblems({ PATH: folder }, commons)).map(({ code }) => code);
}

test('reports nothing if both programs are new enough', async () => {
  install('jj', 'jj 0.46.0');
  install('git', 'git version 2.39.5');
  expect(await findCodes()).toEqual([]);
});

test('reports missing programs', async () => {
  expect(await findCodes()).toEqual(['jj.missing', 'git.missing']);
});

test('reports old programs with the version that is needed', async () => {
  install('jj', 'jj 0.45.9');
  install('git', 'git version 2.38.1');
  const problems = await findJjProblems({ PATH: folder }, []);
  expect(problems.map(({ code }) => code)).toEqual(['jj.too_old', 'jj.git_too_old']);
  expect(problems[0]?.message).toContain('0.46');
  expect(problems[1]?.message).toContain('2.39');
});

test('reports a repository that is colocated with jj', async () => {
  install('jj', 'jj 1.0.0');
  install('git', 'git version 3.0.0');
  const common = join(folder, 'shop/.git');
  mkdirSync(common, { recursive: true });
  expect(await findCodes([common])).toEqual([]);
  mkdirSync(join(folder, 'shop/.jj'));
  expect(await findCodes([common])).toEqual(['jj.colocated']);
});
