/**
 * A simulated GitHub with one repository, a clone and workspaces: the suite's harness plus
 * GitHub-specific parts.
 */
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { GithubSimulator } from '../../../../simulators/github/simulator.ts';
import { startGithub } from '../../../../simulators/github/start.ts';
import type { Fault } from '../../../../src/core/model/fault.ts';
import { toFolderName } from '../../../../src/core/model/ids.ts';
import type { GithubIdentities } from '../../../../src/integrations/github/client/accounts.ts';
import { type GithubConnection, openGithub } from '../../../../src/integrations/github/client/open.ts';
import {
  type GithubForgeOptions,
  openGithubForge,
} from '../../../../src/integrations/github/forge/github-forge.ts';
import type { Forge } from '../../../../src/ports/forge.ts';
import { type SettableClock, settableClock } from '../../../ports/forge/clock.ts';
import {
  type Files,
  type ForgeHarness,
  type Hand,
  LINES,
} from '../../../ports/forge/conformance/forge-under-test.ts';
import { git, readHead, readRef } from '../../../ports/forge/git.ts';
import { sayingChecks } from './simulated-checks.ts';

export const REPO = 'acme/app';
const MAIN = 'refs/heads/main';
/** The accounts that Legion and its roles use. */
export const LEGION = 'legion';
export const IMPL = 'legion-impl';
export const REVIEW = 'legion-review';
/** App accounts as GitHub shows them. */
const BOTS = [`${IMPL}[bot]`, `${REVIEW}[bot]`];
/** An account with write access, and an account without it. */
export const WRITER = 'ada';
export const OUTSIDER = 'eve';

/**
 * `one`: one account for everything. `roles`: separate accounts for implementing and reviewing.
 * `apps`: separate GitHub Apps.
 */
export type Accounts = 'one' | 'roles' | 'apps';

export interface World extends ForgeHarness {
  readonly clock: SettableClock;
  readonly faults: readonly Fault[];
  readonly folder: string;
  readonly clone: string;
  github(): GithubSimulator;
  /** Creates GitHub, the repository and the clone, but does not open a forge. */
  make(): Promise<void>;
  open(changes?: Partial<GithubForgeOptions>): Promise<Forge>;
  /** The client of the most recently opened forge. */
  client(): GithubConnection;
  /** Reports a change to a branch, as a webhook does. */
  tell(branch: string): void;
  /** Returns the names of the requests since the last call. */
  asked(): readonly string[];
}

export function world(accounts: Accounts): World {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'legion-github-forge-')));
  const clone = join(folder, 'clone.git');
  const elsewhere = join(folder, 'elsewhere');
  const workspace = (branch: string) => join(folder, 'workspaces', toFolderName(branch));
  const clock = settableClock();
  const faults: Fault[] = [];
  const forges: Forge[] = [];
  const clients: GithubConnection[] = [];
  const listeners = new Set<(branch: string) => void>();
  const deleted = new Set<string>();
  let simulator: GithubSimulator | undefined;
  let identities: GithubIdentities | undefined;
  let counted = 0;

  const github = () => {
    if (simulator === undefined) throw new Error('there is no GitHub yet');
    return simulator;
  };
  const bare = () => github().people.folder(REPO);
  const tell = (branch: string) => {
    for (const listener of listeners) listener(branch);
  };
  const checks = sayingChecks((sha, check) => github().checks.run(REPO, sha, check), tell);
  let ci = false;

  async function make(): Promise<void> {
    simulator = await startGithub({ clock });
    const { people } = simulator;
    people.organization('acme', [WRITER]);
    await people.repository(REPO, { files: { 'README.md': 'A repository\n', 'app.txt': LINES.join('') } });
    for (const login of [LEGION, IMPL, REVIEW, WRITER]) people.grant(REPO, login, 'WRITE');
    people.user(OUTSIDER);
    // Makes GitHub compute mergeability at once. Tests of pending mergeability change this.
    simulator.faults.unknownMergeability(0);
    await cloneBare(bare(), clone);
  }

  /** Created only once, because the name of an App is unique. */
  function roles(): GithubIdentities {
    const app = (slug: string) => ({ kind: 'app', ...github().people.app({ slug, owner: 'acme' }) }) as const;
    const token = (login: string) => ({ kind: 'token', token: github().people.token(login) }) as const;
    const as = accounts === 'apps' ? app : token;
    identities ??= accounts === 'one' ? {} : { impl: as(IMPL), review: as(REVIEW) };
    return identities;
  }

  async function open(changes: Partial<GithubForgeOptions> = {}): Promise<Forge> {
    const { PATH, HOME } = process.env;
    const as = (login: string) => ({ kind: 'token', token: github().people.token(login) }) as const;
    const client = openGithub({
      url: github().url,
      identities: { legion: as(LEGION), ...roles() },
      environment: {},
      clock,
      writeSpacingMs: 0,
    });
    clients.push(client);
    const forge = await openGithubForge({
      client,
      repo: { owner: 'acme', name: 'app' },
      base: 'main',
      clone,
      remote: `${github().url}/${REPO}.git`,
      access: (role) => client.credentials.gitAccess(role),
      identity: async () => ({ name: 'Legion', email: 'legion@example.org' }),
      issueOf: () => undefined,
      isLegion: (login) => [LEGION, ...(accounts === 'apps' ? BOTS : [IMPL, REVIEW])].includes(login),
      clock,
      environment: { PATH, HOME },
      news: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      onFault: (fault) => faults.push(fault),
      ...changes,
    });
    forges.push(forge);
    return ci ? checks.following(forge) : forge;
  }

  async function ensureWorkspace(branch: string): Promise<string> {
    const path = workspace(branch);
    if (existsSync(path)) return path;
    if (readRef(clone, MAIN) !== readRef(bare(), MAIN))
      await git(clone, 'fetch', '--quiet', bare(), '+main:main');
    await git(clone, 'worktree', 'add', '--quiet', '-b', branch, path, 'main');
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
      await git(workspace(branch), 'fetch', '--quiet', bare(), 'main');
      await git(workspace(branch), 'rebase', '--quiet', 'FETCH_HEAD');
      return readHead(workspace(branch));
    },
    async mergeBase(branch) {
      await git(workspace(branch), 'fetch', '--quiet', bare(), 'main');
      await git(workspace(branch), 'merge', '--quiet', '--no-edit', 'FETCH_HEAD');
      return readHead(workspace(branch));
    },
    async commitToBase(files) {
      if (!existsSync(elsewhere)) await git(folder, 'clone', '--quiet', bare(), elsewhere);
      await git(elsewhere, 'pull', '--quiet', '--ff-only', bare(), 'main');
      const sha = await commitIn(elsewhere, files);
      await git(elsewhere, 'push', '--quiet', bare(), 'main');
      return sha;
    },
    baseSha: async () => readRef(bare(), MAIN),
    baseLength: async () => Number(await git(bare(), 'rev-list', '--count', 'refs/heads/main')),
    readOnBase: async (path) => {
      const listed = await git(bare(), 'ls-tree', '--name-only', 'main', '--', path);
      if (listed === '') return undefined;
      // The git wrapper strips the final line break, so the file's size shows whether there is one.
      const size = Number(await git(bare(), 'cat-file', '-s', `main:${path}`));
      const text = await git(bare(), 'show', `main:${path}`);
      return Buffer.byteLength(text) < size ? `${text}\n` : text;
    },
    messageOf: (sha) => git(bare(), 'log', '-1', '--format=%B', sha),
    async deleteBranch(branch) {
      deleted.add(branch);
      await git(bare(), 'branch', '--quiet', '-D', '--', branch);
    },
    ciSays: checks.says,
    passRetryTime: checks.again,
  };

  return {
    clock,
    faults,
    folder,
    clone,
    hand,
    github,
    make,
    open,
    tell,
    client() {
      const last = clients.at(-1);
      if (last === undefined) throw new Error('there is no client yet');
      return last;
    },
    asked() {
      const names = github()
        .requests()
        .map(({ name }) => name);
      const since = names.slice(counted);
      counted = names.length;
      return since;
    },
    async fresh({ ci: wanted = false } = {}) {
      ci = wanted;
      await make();
      return open();
    },
    reopen: () => open(),
    async dispose() {
      for (const forge of forges) await forge.close();
      for (const client of clients) await client.close();
      await simulator?.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Has the same result as `git clone --bare`, but avoids its five processes. */
async function cloneBare(repository: string, clone: string): Promise<void> {
  const isPart = (path: string) => !path.startsWith(join(repository, 'hooks'));
  await cp(repository, clone, { recursive: true, filter: isPart });
  const config = `[core]\n\trepositoryformatversion = 0\n\tbare = true\n[remote "origin"]\n\turl = ${repository}\n`;
  await writeFile(join(clone, 'config'), config);
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
