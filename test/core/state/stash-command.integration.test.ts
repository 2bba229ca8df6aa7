/** Runs the command that stashes files that block a merge, in a real shell and with real git. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildStashCommand } from '../../../src/core/state/observation.ts';

test('the stash command stashes changed, untracked and ignored files, and no others', () => {
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
    const command = buildStashCommand([{ folder, files, why: 'uncommitted changes' }]);
    execFileSync('sh', ['-c', command ?? 'exit 1']);
    expect(git('status', '--porcelain', '--ignored')).toBe('?? legion.yaml\n?? newer.txt\n');
    git('stash', 'pop', '--quiet');
    expect(git('status', '--porcelain', '--ignored')).toContain('!! ignored.txt');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('there is no stash command if no file blocks the merge', () => {
  expect(buildStashCommand([])).toBeUndefined();
  expect(buildStashCommand([{ folder: '/x', files: [], why: 'index.lock' }])).toBeUndefined();
});
