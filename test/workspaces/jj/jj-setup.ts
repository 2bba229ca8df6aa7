/** Provides jj workspaces for the conformance suite, with the real jj and real repositories. */
import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createGitRunner } from '../../../src/git/runner.ts';
import type { Workspaces } from '../../../src/ports/workspace.ts';
import { requireCommonFolder } from '../../../src/workspaces/git-worktree/repository.ts';
import { type JjWorkspacesOptions, openJjWorkspaces } from '../../../src/workspaces/jj/jj-workspaces.ts';
import { type JjStore, resolveStore } from '../../../src/workspaces/jj/store.ts';
import type { WorkspacesHarness } from '../../ports/workspace/conformance/workspaces-under-test.ts';
import { git, gitOrNothing, SEARCH_PATH } from '../git-worktree/git-command.ts';
import { gitHarness } from '../git-worktree/worktree-setup.ts';

const run = promisify(execFile);

export interface JjHarness extends WorkspacesHarness {
  /** Directory that contains all files of the test. */
  readonly folder: string;
  openWith(options: Partial<JjWorkspacesOptions>): Promise<Workspaces>;
  /** Runs jj as a worker does, in a workspace or a store. */
  jj(path: string, ...args: readonly string[]): Promise<string>;
  store(repository: string): Promise<JjStore>;
}

export async function jjHarness(): Promise<JjHarness> {
  const plain = await gitHarness();
  const { folder, root } = plain;
  const environment = { PATH: SEARCH_PATH, HOME: folder };
  const runner = createGitRunner({ environment });

  async function jj(path: string, ...args: readonly string[]): Promise<string> {
    const env = {
      ...environment,
      JJ_CONFIG: join(root, '.legion-jj/config.toml'),
      JJ_EDITOR: 'false',
      JJ_USER: 'Ann',
      JJ_EMAIL: 'ann@example.org',
    };
    const { stdout } = await run('jj', ['--no-pager', '--color', 'never', ...args], { cwd: path, env });
    return stdout.trimEnd();
  }

  async function store(repository: string): Promise<JjStore> {
    return resolveStore(runner, realpathSync(root), await requireCommonFolder(runner, repository));
  }

  /** Exports the issue's branch as Legion does before a push, without Legion's checks. */
  async function exportBookmark(repository: string, branch: string): Promise<string> {
    const { path, git: backing } = await store(repository);
    const head = `heads(::"${branch}"@ ~ (empty() & description(exact:"")))`;
    await jj(path, '--ignore-working-copy', 'bookmark', 'set', branch, '-r', head, '--allow-backwards');
    await jj(path, '--ignore-working-copy', 'git', 'export');
    return backing;
  }

  async function publish(repository: string, branch: string, target: string): Promise<void> {
    const backing = await exportBookmark(repository, branch);
    const remote = await git(repository, 'remote', 'get-url', 'origin');
    await git(backing, 'push', '--quiet', remote, `refs/heads/${branch}:refs/heads/${target}`);
    await git(repository, 'fetch', '--quiet', 'origin');
  }

  const repositories: string[] = [];
  const openWith = (options: Partial<JjWorkspacesOptions>) =>
    openJjWorkspaces({ root, legion: 'test', environment, ...options });

  return {
    ...plain,
    openWith,
    jj,
    store,
    open: () => openWith({}),
    async repository() {
      const made = await plain.repository();
      repositories.push(made);
      return made;
    },
    async commit(path, message) {
      await jj(path, 'commit', '-m', message);
      return jj(path, 'log', '--no-graph', '-r', '@-', '-T', 'commit_id');
    },
    push: (_path, branch) => publish(repositories.at(-1) ?? '', branch, branch),
    fastForward: (repository, branch) => publish(repository, branch, 'main'),
    async squash(repository, branch) {
      const backing = await exportBookmark(repository, branch);
      await git(repository, 'fetch', '--quiet', backing, `+refs/heads/${branch}:refs/heads/${branch}`);
      const squashed = await plain.squash(repository, branch);
      await git(repository, 'update-ref', '-d', `refs/heads/${branch}`);
      return squashed;
    },
    async commitOfBranch(repository, branch) {
      const { path, git: backing } = await store(repository);
      await jj(path, '--ignore-working-copy', 'git', 'export');
      return gitOrNothing(backing, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}`);
    },
    async branchIn(path) {
      if (!existsSync(join(path, '.jj'))) return plain.branchIn(path);
      const name = 'local_bookmarks.map(|b| b.name()).join("\\n") ++ "\\n"';
      const names = (await jj(path, 'log', '--no-graph', '-r', '::@ & bookmarks()', '-T', name)).split('\n');
      // Fresh workspaces share their base commit, so it may have the bookmarks of several
      // workspaces. Only the bookmark with this workspace's name is returned.
      const workspaces = await jj(path, 'workspace', 'list', '-T', 'name ++ "\\t" ++ root ++ "\\n"');
      const own =
        workspaces
          .split('\n')
          .find((line) => line.endsWith(`\t${path}`))
          ?.split('\t')[0] ?? '';
      const issue = own.replaceAll('"', '');
      return names.map((each) => each.replaceAll('"', '')).includes(issue) ? issue : '';
    },
  };
}
