/** Measures how long a jj workspace takes to create, compared with a git worktree of the same files. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Workspaces } from '../../src/ports/workspace.ts';
import { openGitWorktrees } from '../../src/workspaces/git-worktree/git-worktrees.ts';
import { openJjWorkspaces } from '../../src/workspaces/jj/jj-workspaces.ts';
import type { Bench } from '../bench.ts';
import { computeMedian } from '../measurement.ts';

const run = promisify(execFile);

const FILES = 10_000;
const FILES_PER_FOLDER = 100;
const ROUNDS = 7;
const SHORT_FILES = 1_000;
const SHORT_ROUNDS = 3;
/**
 * The jj workspace and the git worktree contain the same files; jj also records the state of these
 * files.
 */
const MAX_RATIO = 2.5;

export const jjWorkspaceBench: Bench = {
  name: 'jj-workspace',
  description: 'creating a jj workspace on an existing store, compared with a git worktree',
  deadlineMs: 600_000,
  async run({ short, signal, progress }) {
    const folder = mkdtempSync(join(tmpdir(), 'legion-bench-jj-'));
    try {
      progress('creating the repository');
      const repository = await createRepository(folder, short ? SHORT_FILES : FILES);
      const options = { legion: 'bench', environment: process.env };
      const git = await openGitWorktrees({ ...options, root: join(folder, 'git') });
      const jj = await openJjWorkspaces({ ...options, root: join(folder, 'jj') });
      // The first workspace of each kind also prepares the repository.
      for (const workspaces of [git, jj]) await measureCreation(workspaces, 'warm-up', repository);
      const times: Record<'git' | 'jj', number[]> = { git: [], jj: [] };
      for (let round = 1; round <= (short ? SHORT_ROUNDS : ROUNDS); round += 1) {
        signal.throwIfAborted();
        progress(`round ${round}`);
        times.git.push(await measureCreation(git, `bench-${round}`, repository));
        times.jj.push(await measureCreation(jj, `bench-${round}`, repository));
      }
      const ratio = computeMedian(times.jj) / computeMedian(times.git);
      return [
        {
          name: `jj workspace / git worktree, ${short ? SHORT_FILES : FILES} files`,
          value: ratio,
          unit: '×',
          goal: `≤ ${MAX_RATIO}`,
          met: ratio <= MAX_RATIO,
        },
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function measureCreation(workspaces: Workspaces, issue: string, repository: string): Promise<number> {
  const begun = performance.now();
  await workspaces.ensure(issue, repository);
  const took = performance.now() - begun;
  const removal = await workspaces.remove(issue);
  if (!removal.removed) throw new Error(`The workspace of ${issue} was not removed.`);
  return took;
}

async function createRepository(folder: string, files: number): Promise<string> {
  const repository = join(folder, 'repository');
  await run('git', ['init', '--quiet', '--initial-branch=main', repository]);
  for (let file = 0; file < files; file += 1) {
    const parent = join(repository, `folder-${Math.floor(file / FILES_PER_FOLDER)}`);
    mkdirSync(parent, { recursive: true });
    writeFileSync(join(parent, `file-${file}.txt`), `Content of file ${file}.\n`.repeat(100));
  }
  await run('git', ['-C', repository, 'add', '--all']);
  const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost'];
  await run('git', ['-C', repository, ...identity, 'commit', '--quiet', '-m', 'Begin']);
  return repository;
}
