/**
 * The local harness of the conformance suite: a real repository in its own folder, with people and
 * workers who use it.
 */
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import type { Fault } from '../../../../src/core/model/fault.ts';
import { toFolderName } from '../../../../src/core/model/ids.ts';
import type { RunCi } from '../../../../src/integrations/local/forge/ci.ts';
import {
  type LocalForgeOptions,
  openLocalForge,
} from '../../../../src/integrations/local/forge/local-forge.ts';
import type { Forge } from '../../../../src/ports/forge.ts';
import { type SettableClock, settableClock } from '../../../ports/forge/clock.ts';
import {
  type Files,
  type ForgeHarness,
  type Hand,
  LINES,
} from '../../../ports/forge/conformance/forge-under-test.ts';
import { git, readHead, readRef } from '../../../ports/forge/git.ts';
import { sayingCi } from './simulated-ci.ts';

/**
 * One of three kinds: an ordinary repository with its base checked out, a bare repository with work
 * trees as workspaces, or a bare repository with clones as workspaces.
 */
export type Kind = 'ordinary' | 'bare' | 'cloned';

export interface World extends ForgeHarness {
  readonly folder: string;
  readonly repository: string;
  readonly state: string;
  readonly clock: SettableClock;
  readonly faults: readonly Fault[];
  /** Creates the repository, but does not open a forge. */
  make(): Promise<void>;
  options(): LocalForgeOptions;
  open(changes?: Partial<LocalForgeOptions>): Promise<Forge>;
}

const RETRY_AFTER_MS = 60_000;

export function world(kind: Kind): World {
  // The real path, because the temporary folder may be a link and git prints real paths.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'legion-forge-')));
  const repository = join(folder, kind === 'ordinary' ? 'repository' : 'repository.git');
  const elsewhere = join(folder, 'elsewhere');
  const state = join(folder, 'state');
  const workspace = (branch: string) => join(folder, 'workspaces', toFolderName(branch));
  const clock = settableClock();
  const faults: Fault[] = [];
  const forges: Forge[] = [];
  const deleted = new Set<string>();
  const { run, says, release } = sayingCi();
  let ci = false;

  async function make(): Promise<void> {
    await cp(await template(kind === 'ordinary'), repository, { recursive: true });
  }

  async function ensureWorkspace(branch: string): Promise<string> {
    const path = workspace(branch);
    if (existsSync(path)) return path;
    if (kind === 'cloned') {
      await git(folder, 'clone', '--quiet', repository, path);
      await git(path, 'checkout', '--quiet', '-b', branch);
    } else {
      await git(repository, 'worktree', 'add', '--quiet', '-b', branch, path, 'main');
    }
    return path;
  }

  const hand: Hand = {
    workspace,
    async commit(branch, files) {
      const path = await ensureWorkspace(branch);
      if (deleted.delete(branch)) await git(path, 'checkout', '--quiet', '-B', branch);
      return Object.keys(files).length === 0 ? readHead(path) : commitIn(path, files);
    },
    async rebase(branch) {
      if (kind === 'cloned') await git(workspace(branch), 'fetch', '--quiet', repository, 'main:incoming');
      await git(workspace(branch), 'rebase', '--quiet', kind === 'cloned' ? 'incoming' : 'main');
      return readHead(workspace(branch));
    },
    async mergeBase(branch) {
      if (kind === 'cloned') await git(workspace(branch), 'fetch', '--quiet', repository, 'main:incoming');
      await git(workspace(branch), 'merge', '--quiet', '--no-edit', kind === 'cloned' ? 'incoming' : 'main');
      return readHead(workspace(branch));
    },
    async commitToBase(files) {
      if (kind === 'ordinary') return commitIn(repository, files);
      if (!existsSync(elsewhere)) await git(folder, 'clone', '--quiet', repository, elsewhere);
      await git(elsewhere, 'pull', '--quiet', '--ff-only', repository, 'main');
      const sha = await commitIn(elsewhere, files);
      await git(elsewhere, 'push', '--quiet', repository, 'main');
      return sha;
    },
    baseSha: async () =>
      readRef(kind === 'ordinary' ? join(repository, '.git') : repository, 'refs/heads/main'),
    baseLength: async () => Number(await git(repository, 'rev-list', '--count', 'refs/heads/main')),
    readOnBase: async (path) => {
      const listed = await git(repository, 'ls-tree', '--name-only', 'main', '--', path);
      // The git wrapper strips the final line break, so the file's size shows whether there is one.
      const size = listed === '' ? 0 : Number(await git(repository, 'cat-file', '-s', `main:${path}`));
      if (listed === '') return undefined;
      const text = await git(repository, 'show', `main:${path}`);
      return Buffer.byteLength(text) < size ? `${text}\n` : text;
    },
    messageOf: (sha) => git(repository, 'log', '-1', '--format=%B', sha),
    async deleteBranch(branch) {
      if (kind !== 'cloned') await git(workspace(branch), 'checkout', '--quiet', '--detach');
      deleted.add(branch);
      await git(repository, 'branch', '--quiet', '-D', '--', branch);
    },
    ciSays: says,
    passRetryTime: () => clock.advance(RETRY_AFTER_MS),
  };

  function options(): LocalForgeOptions {
    const { PATH, HOME } = process.env;
    return {
      repository,
      base: 'main',
      state,
      identity: { name: 'Legion', email: 'legion@example.org' },
      clock,
      environment: { PATH, HOME },
      onFault: (fault) => faults.push(fault),
      ...(ci ? { ci: { run: run satisfies RunCi, retryAfterMs: RETRY_AFTER_MS } } : {}),
    };
  }

  async function open(changes: Partial<LocalForgeOptions> = {}): Promise<Forge> {
    const forge = await openLocalForge({ ...options(), ...changes });
    forges.push(forge);
    return forge;
  }

  return {
    folder,
    repository,
    state,
    clock,
    faults,
    hand,
    make,
    options,
    open,
    async fresh({ ci: wanted = false } = {}) {
      ci = wanted;
      await make();
      return open();
    },
    reopen: () => open(),
    async dispose() {
      release();
      for (const forge of forges) await forge.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * Returns the repository that hundreds of tests copy as their start. It is created once per
 * process.
 */
async function template(ordinary: boolean): Promise<string> {
  templates.made ??= makeTemplates();
  const [made, bare] = await templates.made;
  return ordinary ? made : bare;
}

const templates: { made?: Promise<[string, string]> } = {};

async function makeTemplates(): Promise<[string, string]> {
  const folder = mkdtempSync(join(inject('scratch'), 'forge-template-'));
  const made = join(folder, 'ordinary');
  await git(folder, 'init', '--quiet', '--template=', '-b', 'main', made);
  await commitIn(made, { 'README.md': 'A repository\n', 'app.txt': LINES.join('') });
  const bare = join(folder, 'bare.git');
  await git(folder, 'clone', '--quiet', '--bare', '--template=', made, bare);
  return [made, bare];
}

async function commitIn(folder: string, files: Files): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    if (text === undefined) await rm(file);
    else await writeFile(file, text);
  }
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '-m', 'Work');
  return readHead(folder);
}
