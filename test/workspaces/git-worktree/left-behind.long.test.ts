/**
 * Tests that leftovers of dead processes are removed, and that those of running processes are kept.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { identifyThisProcess } from '../../../src/lib/process/proc-table.ts';
import type { Workspaces } from '../../../src/ports/workspace.ts';
import { refusal } from '../../ports/workspace/refusal.ts';
import { git } from './git-command.ts';
import { useGit } from './use-harness.ts';

const present = useGit();
const TOKEN = '11111111-2222-4333-8444-555555555555';

function holdLock(repository: string, holder: object): string {
  const folder = join(repository, '.git', 'legion-lock');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'held'), JSON.stringify({ token: TOKEN, ...identifyThisProcess(), ...holder }));
  return join(folder, 'held');
}

describe("a repository's lock", () => {
  test('is not removed while its holder is running; others wait for it, and their error identifies the holder', async () => {
    const folder = await present().repository();
    const held = holdLock(folder, {});
    const workspaces = await present().openWith({ lockTimeoutMs: 200 });
    const fault = await refusal(workspaces.ensure('eng-1', folder));
    expect(fault.code).toBe('workspace.busy');
    expect(fault.message).toContain(`process ${process.pid}`);
    expect(existsSync(held)).toBe(true);
    rmSync(held);
    expect(await workspaces.ensure('eng-1', folder)).toBeDefined();
  });

  test("is taken over if its holder has exited or the holder's pid was reused", async () => {
    const folder = await present().repository();
    const workspaces = await present().openWith({ lockTimeoutMs: 5_000 });
    for (const holder of [{ pid: await endedPid() }, { started: 'another boot/1' }]) {
      holdLock(folder, holder);
      expect(await workspaces.prune(folder)).toEqual([]);
    }
    expect(readdirSync(join(folder, '.git', 'legion-lock'))).toEqual([]);
  });

  test("after its holder was killed, is taken over only once the holder's git process has exited", async () => {
    const folder = await present().repository();
    holdLock(folder, { pid: await endedPid() });
    const inherited = openSync(join(folder, '.git', 'legion-lock', TOKEN), 'w');
    const orphan = spawn('sleep', ['60'], { stdio: ['ignore', 'ignore', 'ignore', inherited] });
    closeSync(inherited);
    try {
      const workspaces = await present().openWith({ lockTimeoutMs: 200 });
      expect(await refusal(workspaces.prune(folder))).toMatchObject({ code: 'workspace.busy' });
    } finally {
      orphan.kill('SIGKILL');
      await once(orphan, 'close');
    }
    expect(await (await present().openWith({ lockTimeoutMs: 5_000 })).prune(folder)).toEqual([]);
  });

  test('is taken over from an unreachable machine only after an hour', async () => {
    const folder = await present().repository();
    const held = holdLock(folder, { machine: 'elsewhere', pid: await endedPid() });
    const workspaces = await present().openWith({ lockTimeoutMs: 200 });
    expect(await refusal(workspaces.prune(folder))).toMatchObject({ code: 'workspace.busy' });
    const earlier = Date.now() / 1_000 - 3_700;
    utimesSync(held, earlier, earlier);
    expect(await workspaces.prune(folder)).toEqual([]);
  });

  test('is taken over from a dead process even if other processes died while trying to take it over', async () => {
    const folder = await present().repository();
    const held = holdLock(folder, { pid: await endedPid() });
    writeFileSync(`${held}.${TOKEN.replace('1', '3')}.unfinished`, ''); // killed before it had written its name
    const second = { ...identifyThisProcess(), pid: await endedPid(), token: TOKEN.replace('1', '2') };
    writeFileSync(`${held}.${TOKEN}`, JSON.stringify(second));
    const workspaces = await present().openWith({ lockTimeoutMs: 5_000 });
    expect(await workspaces.prune(folder)).toEqual([]);
    expect(readdirSync(join(folder, '.git', 'legion-lock'))).toEqual([]);
  });
});

describe("git's own lock on the branch", () => {
  test('is removed if no running git can have created it', async () => {
    const folder = await present().repository();
    const lock = join(folder, '.git', 'refs', 'heads', 'eng-1.lock');
    writeFileSync(lock, '');
    expect(await (await present().open()).ensure('eng-1', folder)).toBeDefined();
    expect(existsSync(lock)).toBe(false);
  });

  test('is also removed if the branch already exists', async () => {
    const folder = await present().repository();
    await git(folder, 'branch', 'eng-1');
    const lock = join(folder, '.git', 'refs', 'heads', 'eng-1.lock');
    writeFileSync(lock, '');
    expect(await (await present().open()).ensure('eng-1', folder)).toBeDefined();
    expect(existsSync(lock)).toBe(false);
  });

  test('is kept while a git process that may have created it is running', async () => {
    const folder = await present().repository();
    const living = spawn('git', ['-C', folder, 'cat-file', '--batch'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await once(living, 'spawn');
    const lock = join(folder, '.git', 'refs', 'heads', 'eng-1.lock');
    writeFileSync(lock, '');
    try {
      const fault = await refusal((await present().open()).ensure('eng-1', folder));
      expect(fault.code).toBe('git.locked');
      expect(fault.message).toContain('refs/heads/eng-1.lock');
      expect(existsSync(lock)).toBe(true);
    } finally {
      living.stdin.end();
      await once(living, 'close');
    }
  });
});

describe('leftover worktrees', () => {
  test('are removed by the next `ensure`, with their entries and directories, whatever the step at which the process was killed', async () => {
    const { open, repository, root } = present();
    const folder = await repository();
    const workspaces = await open();
    const { path } = await workspaces.ensure('eng-1', folder);
    const entry = readFileSync(join(path, '.git'), 'utf8').replace('gitdir: ', '').trim();
    const staged = join(root, '.legion-staging', readdirSync(join(root, '.legion-staging'))[0] ?? '');

    // Killed before git wrote the worktree's location.
    mkdirSync(entry.replace('eng-1', 'eng-2'));
    writeFileSync(join(entry.replace('eng-1', 'eng-2'), 'locked'), 'initializing');
    // Killed while files were being checked out.
    await git(folder, 'worktree', 'add', '--quiet', '--detach', join(staged, `${entryBase(entry)}eng-3`));
    // Killed while the directory of a removed workspace was being deleted.
    mkdirSync(join(staged, 'gone', 'node_modules'), { recursive: true });

    await workspaces.ensure('eng-2', folder);
    await workspaces.ensure('eng-3', folder);
    expect(readdirSync(join(folder, '.git', 'worktrees'))).toHaveLength(3);
    expect(readdirSync(staged)).toEqual([]);
  });

  test("are treated as complete if only git's link back to them is wrong, and the next `ensure` corrects that link", async () => {
    const { open, repository } = present();
    const folder = await repository();
    const workspaces = await open();
    const made = await workspaces.ensure('eng-1', folder);
    const entry = readFileSync(join(made.path, '.git'), 'utf8').replace('gitdir: ', '').trim();
    const staging = join(present().root, '.legion-staging');
    const staged = join(staging, readdirSync(staging)[0] ?? '', 'x', '.git');
    writeFileSync(join(entry, 'gitdir'), `${staged}\n`);
    writeFileSync(join(made.path, 'draft.txt'), 'draft');

    expect(await workspaces.find('eng-1')).toEqual(made);
    expect(await workspaces.ensure('eng-1', folder)).toEqual(made);
    expect(readFileSync(join(entry, 'gitdir'), 'utf8')).toBe(`${join(made.path, '.git')}\n`);
    expect(readFileSync(join(made.path, 'draft.txt'), 'utf8')).toBe('draft');
  });

  test('are pruned and reported only if their directory was under this root and has been deleted', async () => {
    const { open, openWith, repository, folder: outer } = present();
    const folder = await repository();
    const ours = await (await open()).ensure('eng-1', folder);
    const theirs = await (await openWith({ root: join(outer, 'other-root') })).ensure('eng-2', folder);
    await git(folder, 'worktree', 'add', '--quiet', '-b', 'mine', join(outer, 'mine'));
    for (const path of [ours.path, theirs.path, join(outer, 'mine')]) rmSync(path, { recursive: true });

    const pruned = await (await open()).prune(folder);
    expect(pruned).toEqual([expect.stringMatching(/worktrees\/legion-[0-9a-f]{12}-eng-1$/)]);
    const left = await git(folder, 'worktree', 'list', '--porcelain');
    expect(left).toContain(theirs.path);
    expect(left).toContain(join(outer, 'mine'));
  });
});

function entryBase(entry: string): string {
  return entry.slice(entry.lastIndexOf('/') + 1).replace('eng-1', '');
}

async function endedPid(): Promise<number> {
  const child = spawn('true');
  await once(child, 'close');
  return child.pid ?? 0;
}

describe('a git lock in a workspace', () => {
  async function withLock(): Promise<{ workspaces: Workspaces; folder: string; path: string; lock: string }> {
    const folder = await present().repository();
    const workspaces = await present().openWith({});
    const { path } = await workspaces.ensure('eng-1', folder);
    const lock = join(readFileSync(join(path, '.git'), 'utf8').trim().slice('gitdir: '.length), 'index.lock');
    return { workspaces, folder, path, lock };
  }

  test('is removed for the next worker if a killed worker left it, even if git is running elsewhere', async () => {
    const { workspaces, folder, path, lock } = await withLock();
    const elsewhere = await waitingGit(folder);
    writeFileSync(lock, '');
    try {
      await workspaces.ensure('eng-1', folder);
      writeFileSync(join(path, 'new'), '');
      await git(path, 'add', 'new');
    } finally {
      await ended(elsewhere);
    }
    writeFileSync(join(folder, '.git/refs/heads/eng-1.lock'), '');
    await workspaces.ensure('eng-1', folder);
    await git(path, 'commit', '--quiet', '--message=new');
  });

  test('is not removed while a git process is working there or a process has the lock file open', async () => {
    const { workspaces, folder, path, lock } = await withLock();
    const there = await waitingGit(path);
    writeFileSync(lock, '');
    try {
      await workspaces.ensure('eng-1', folder);
      expect(existsSync(lock)).toBe(true);
    } finally {
      await ended(there);
    }
    const open = openSync(lock, 'r');
    await workspaces.ensure('eng-1', folder);
    closeSync(open);
    expect(existsSync(lock)).toBe(true);
  });
});

/** Starts a git process that waits indefinitely. */
async function waitingGit(cwd: string): Promise<ChildProcess> {
  const child = spawn('git', ['hash-object', '--stdin'], { cwd, stdio: ['pipe', 'ignore', 'ignore'] });
  await once(child, 'spawn');
  return child;
}

async function ended(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'close');
}
