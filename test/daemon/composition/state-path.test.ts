/** Tests that Legion refuses directories that it must not use as its state directory. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findStatePathProblem, makeStateFolder } from '../../../src/daemon/composition/open-state-folder.ts';

const homes = ['/home/ada', '/srv/homes/grace/'];

test.each<[string, readonly string[] | undefined, string | undefined]>([
  ['/', ['bin', 'etc'], 'is the root of the file system'],
  ['//', [], 'is the root of the file system'],
  ['/home/ada', ['.bashrc'], 'is a home folder'],
  ['/home/ada/', [], 'is a home folder'],
  ['/srv/homes/grace', undefined, 'is a home folder'],
  ['/home', ['ada'], 'contains the home folder /home/ada'],
  ['/home/ad', undefined, undefined],
  ['/srv/project', ['package.json', 'bin'], 'contains files, but none that belong to a legion’s state'],
  ['/srv/empty', [], undefined],
  ['/srv/new', undefined, undefined],
  ['/home/ada/.local/state/legion/legions/demo', ['bin', 'journal.db', 'token'], undefined],
  ['/srv/agreed', ['consent.json'], undefined],
])('for the path %s with entries %j, findStatePathProblem returns: %s', (path, entries, problem) => {
  expect(findStatePathProblem({ path, homes, entries })).toBe(problem);
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'legion-state-path-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("refuses another program's directory before changing anything in it, even through a symlink", () => {
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{}');
  chmodSync(project, 0o755);
  const link = join(folder, 'link');
  symlinkSync(project, link);
  for (const path of [project, link])
    expect(() => makeStateFolder(path)).toThrow(
      expect.objectContaining({
        code: 'daemon.state_dangerous',
        message: expect.stringContaining('none that belong to a legion’s state'),
      }),
    );
  expect([statSync(project).mode & 0o777, readdirSync(project)]).toEqual([0o755, ['package.json']]);
});

test('refuses the home directory before changing anything in it', () => {
  chmodSync(folder, 0o755);
  vi.stubEnv('HOME', folder);
  try {
    expect(() => makeStateFolder(folder)).toThrow(
      expect.objectContaining({ code: 'daemon.state_dangerous', message: `${folder} is a home folder` }),
    );
  } finally {
    vi.unstubAllEnvs();
  }
  expect(statSync(folder).mode & 0o777).toBe(0o755);
});
