/**
 * Provides git worktrees for the conformance suite, with real repositories in a separate directory.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type GitLookup, openLookup } from '../../../src/git/lookup.ts';
import type { Workspaces } from '../../../src/ports/workspace.ts';
import {
  type GitWorktreeOptions,
  openGitWorktrees,
} from '../../../src/workspaces/git-worktree/git-worktrees.ts';
import type { WorkspacesHarness } from '../../ports/workspace/conformance/workspaces-under-test.ts';
import { git, gitOrNothing, SEARCH_PATH } from './git-command.ts';

export interface GitHarness extends WorkspacesHarness {
  /** Directory that contains all files of the test. */
  readonly folder: string;
  openWith(options: Partial<GitWorktreeOptions>): Promise<Workspaces>;
}

export async function gitHarness(): Promise<GitHarness> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'legion-workspaces-')));
  const root = join(folder, 'root');
  let repositories = 0;

  async function addRemote(): Promise<string> {
    repositories += 1;
    const remote = join(folder, `remote-${repositories}.git`);
    await cp((await prepareTemplates()).remote, remote, { recursive: true });
    return remote;
  }

  const environment = { PATH: SEARCH_PATH };
  const lookups = new Map<string, GitLookup>();
  function lookupFor(common: string): GitLookup {
    const lookup = lookups.get(common) ?? openLookup({ environment }, common);
    lookups.set(common, lookup);
    return lookup;
  }

  const openWith = (options: Partial<GitWorktreeOptions>) =>
    openGitWorktrees({ root, legion: 'test', environment, lookupFor, ...options });

  return {
    folder,
    root,
    openWith,
    open: () => openWith({}),
    async repository() {
      const clone = join(folder, `clone-${repositories + 1}`);
      const template = await prepareTemplates();
      await cp(template.clone, clone, { recursive: true });
      const config = join(clone, '.git/config');
      writeFileSync(config, readFileSync(config, 'utf8').replace(template.remote, await addRemote()));
      return clone;
    },
    bareRepository: addRemote,
    async commit(path, message) {
      await git(path, 'add', '--all');
      await git(path, 'commit', '--quiet', '-m', message);
      return git(path, 'rev-parse', 'HEAD');
    },
    push: async (path, branch) => void (await git(path, 'push', '--quiet', 'origin', branch)),
    async squash(repository, branch) {
      const tree = await git(repository, 'merge-tree', '--write-tree', 'origin/main', `refs/heads/${branch}`);
      const squashed = await git(
        repository,
        'commit-tree',
        tree,
        '-p',
        'origin/main',
        '-m',
        `Squash ${branch}`,
      );
      await git(repository, 'push', '--quiet', 'origin', `${squashed}:refs/heads/main`);
      return squashed;
    },
    fastForward: async (repository, branch) =>
      void (await git(repository, 'push', '--quiet', 'origin', `refs/heads/${branch}:refs/heads/main`)),
    async commitOnMain(repository, file, text) {
      const remote = await git(repository, 'remote', 'get-url', 'origin');
      const commit = await setFile(remote, file, text);
      await git(repository, 'fetch', '--quiet', 'origin');
      return commit;
    },
    makeBranch: async (repository, branch, at) =>
      void (await git(repository, 'update-ref', `refs/heads/${branch}`, at)),
    commitOfBranch: (repository, branch) =>
      gitOrNothing(repository, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}`),
    branchIn: async (path) => (await git(path, 'symbolic-ref', 'HEAD')).replace('refs/heads/', ''),
    async dispose() {
      for (const lookup of lookups.values()) lookup.close();
      rmSync(folder, { recursive: true });
    },
  };
}

interface Templates {
  readonly remote: string;
  readonly clone: string;
}

const templates: { made?: Promise<Templates> } = {};

/**
 * Creates a remote with one commit and a clone of it, once per process. Both are copied for each
 * test.
 */
function prepareTemplates(): Promise<Templates> {
  templates.made ??= makeTemplates();
  return templates.made;
}

async function makeTemplates(): Promise<Templates> {
  const folder = mkdtempSync(join(inject('scratch'), 'workspaces-template-'));
  const [remote, clone] = [join(folder, 'remote.git'), join(folder, 'clone')];
  await git(folder, 'init', '--quiet', '--bare', '--template=', '--initial-branch=main', remote);
  await setFile(remote, 'README.md', 'read me\n');
  await git(folder, 'clone', '--quiet', '--template=', remote, clone);
  return { remote, clone };
}

/** Commits to `main` of a bare repository through a temporary working copy. */
async function setFile(remote: string, file: string, text: string): Promise<string> {
  const copy = mkdtempSync(join(remote, '..', 'copy-'));
  mkdirSync(join(copy, 'work'));
  const at = ['--git-dir', remote, '--work-tree', join(copy, 'work')];
  await gitOrNothing(copy, ...at, 'checkout', '--quiet', '--force', 'main');
  writeFileSync(join(copy, 'work', file), text);
  await git(join(copy, 'work'), ...at, 'add', '--all');
  await git(join(copy, 'work'), ...at, 'commit', '--quiet', '-m', `Set ${file}`);
  rmSync(copy, { recursive: true });
  return git(remote, 'rev-parse', 'main');
}
