/** The command that puts the files in the way of a merge aside, run by a real shell and git. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stashCommand } from '../../../src/core/state/observation.ts';

test('puts aside changed, untracked and ignored files and no others', () => {
  const folder = mkdtempSync(join(tmpdir(), "legion-stash'd "));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  try {
    git('init', '--quiet');
    git('config', 'user.name', 'Ada');
    git('config', 'user.email', 'ada@example.org');
    write("it's.txt", 'before');
    write('.gitignore', 'ignored.txt\n');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'First');
    write("it's.txt", 'after');
    write('new*.txt', 'new');
    write('newer.txt', 'kept');
    write('ignored.txt', 'ignored');
    write('legion.yaml', 'legion: shop\n');
    const files = ["it's.txt", 'new*.txt', 'ignored.txt'];
    const command = stashCommand([{ folder, files, why: 'uncommitted changes' }]);
    execFileSync('sh', ['-c', command ?? 'exit 1']);
    expect(git('status', '--porcelain', '--ignored')).toBe('?? legion.yaml\n?? newer.txt\n');
    git('stash', 'pop', '--quiet');
    expect(git('status', '--porcelain', '--ignored')).toContain('!! ignored.txt');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('is absent where no file is in the way', () => {
  expect(stashCommand([])).toBeUndefined();
  expect(stashCommand([{ folder: '/x', files: [], why: 'index.lock' }])).toBeUndefined();
});
