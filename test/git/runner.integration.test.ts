/**
 * Tests that git runs in a controlled environment and within limits, and that failures have a code
 * and git's error text.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGitRunner } from '../../src/git/runner.ts';
import { refusal } from '../ports/workspace/refusal.ts';
import { git, SEARCH_PATH } from '../workspaces/git-worktree/git-command.ts';
import { useGit } from '../workspaces/git-worktree/use-harness.ts';

const present = useGit();
let tools: string;
beforeEach(() => {
  tools = realpathSync(mkdtempSync(join(tmpdir(), 'legion-tools-')));
});
afterEach(() => rmSync(tools, { recursive: true }));

/** Installs a fake `git` script. */
function pretend(script: string): { readonly PATH: string } {
  writeFileSync(join(tools, 'git'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(tools, 'git'), 0o755);
  return { PATH: `${tools}:${SEARCH_PATH}` };
}

/**
 * Returns whether the process is running. A zombie, which has ended but has not been reaped by its
 * parent yet, is not running.
 */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test.each([[''], [undefined], ['.:relative/bin'], ['/no/such/folder']])(
  'reports git as missing for the search path %j, and does not use a git in the repository',
  async (PATH) => {
    const { openWith, repository } = present();
    const folder = await repository();
    const evil = join(folder, 'evil-was-run');
    for (const place of [folder, join(folder, '.git')]) {
      writeFileSync(join(place, 'git'), `#!/bin/sh\ntouch ${evil}\n`, { mode: 0o755 });
    }
    const fault = await refusal((await openWith({ environment: { PATH } })).ensure('eng-1', folder));
    expect(fault.code).toBe('git.missing');
    expect(fault.next).toContain('Install git');
    expect(existsSync(evil)).toBe(false);
  },
);

test('ignores git variables inherited from the environment', async () => {
  const { openWith, repository, folder: outer, root } = present();
  const folder = await repository();
  const other = join(outer, 'other');
  await git(outer, 'init', '--quiet', other);
  writeFileSync(join(outer, '.gitconfig'), '[core]\n\tbare = nonsense\n');
  const environment = {
    PATH: SEARCH_PATH,
    HOME: outer,
    GIT_DIR: join(other, '.git'),
    GIT_WORK_TREE: other,
    GIT_INDEX_FILE: join(other, 'index'),
    GIT_COMMON_DIR: join(other, '.git'),
    GIT_OBJECT_DIRECTORY: join(other, 'objects'),
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.bare',
    GIT_CONFIG_VALUE_0: 'nonsense',
  };
  const { path } = await (await openWith({ environment })).ensure('eng-1', folder);
  expect(path).toBe(join(root, 'eng-1'));
  expect(existsSync(join(other, 'index'))).toBe(false);
});

test('runs neither hooks nor a file system monitor of the repository', async () => {
  const { open, repository, folder: outer } = present();
  const folder = await repository();
  const ran = join(outer, 'ran');
  const hooks = join(folder, '.git', 'hooks');
  mkdirSync(hooks, { recursive: true });
  for (const name of ['post-checkout', 'post-index-change', 'reference-transaction', 'monitor']) {
    writeFileSync(join(hooks, name), `#!/bin/sh\necho ${name} >> ${ran}\n`, { mode: 0o755 });
  }
  await git(folder, 'config', 'core.hooksPath', hooks);
  await git(folder, 'config', 'core.fsmonitor', join(hooks, 'monitor'));
  rmSync(ran, { force: true });
  const workspaces = await open();
  await workspaces.ensure('eng-1', folder);
  expect(await workspaces.remove('eng-1')).toEqual({ removed: true });
  expect(existsSync(ran)).toBe(false);
});

test('kills a hanging git and its children after the timeout', async () => {
  const environment = pretend('sleep 61 & echo $! > "$0.pid"; wait');
  const begun = performance.now();
  const call = createGitRunner({ environment, timeoutMs: 300 }).run('/', ['status']);
  expect(await refusal(call)).toMatchObject({ code: 'git.timeout' });
  expect(performance.now() - begun).toBeLessThan(5_000);
  const grandchild = Number(readFileSync(join(tools, 'git.pid'), 'utf8'));
  await expect.poll(() => isRunning(grandchild)).toBe(false);
});

test('does not wait for a grandchild that keeps the output open', async () => {
  const environment = pretend('echo answer; sleep 5 & exit 0');
  const begun = performance.now();
  expect(await createGitRunner({ environment }).run('/', ['status'])).toBe('answer\n');
  expect(performance.now() - begun).toBeLessThan(4_000);
});

test('stops endless output', { timeout: 60_000 }, async () => {
  const environment = pretend('exec cat /dev/zero');
  expect(await refusal(createGitRunner({ environment }).run('/', ['log']))).toMatchObject({
    code: 'git.output_too_large',
  });
});

test("reports git's error text on one line, without secrets", async () => {
  const environment = pretend(
    'echo "fatal: cannot read https://ann:s3cr3t@example.org/x.git" >&2; printf "with \\033[31mghp_0123456789abcdef\\n" >&2; exit 128',
  );
  const fault = await refusal(createGitRunner({ environment }).run('/', ['fetch']));
  expect(fault.code).toBe('git.failed');
  expect(fault.message).toBe(
    'git fetch ended with 128: fatal: cannot read https://***@example.org/x.git | with \\u{1b}[31m***',
  );
});

test.each([
  ["fatal: detected dubious ownership in repository at '/x'", 'git.not_owned'],
  ['error: unable to write file a: No space left on device', 'workspace.full'],
  ["fatal: Unable to create '/x/.git/packed-refs.lock': File exists.", 'git.locked'],
  ['fatal: not a git repository (or any of the parent directories): .git', 'workspace.not_a_repository'],
])("maps git's error %s to %s", async (words, code) => {
  const environment = pretend(`echo "${words}" >&2; exit 128`);
  expect(await refusal(createGitRunner({ environment }).run('/', ['status']))).toMatchObject({ code });
});

test('reports a git without in-memory merge as too old', async () => {
  const environment = pretend('echo "usage: git merge-tree <base> <one> <other>" >&2; exit 129');
  const args = ['--git-dir=/x', '-c', 'some.setting=1', 'merge-tree', '--write-tree', 'a', 'b'];
  const fault = await refusal(createGitRunner({ environment }).run('/', args));
  expect(fault.code).toBe('git.too_old');
  expect(fault.message).toContain('git merge-tree ended with 129');
});

test('treats exit status 1 as "no answer" in `ask` and as a failure elsewhere', async () => {
  const runner = createGitRunner({ environment: pretend('exit 1') });
  expect(await runner.ask('/', ['config', 'x'])).toBeUndefined();
  expect(await refusal(runner.run('/', ['config', 'x']))).toMatchObject({ code: 'git.failed' });
});

test('passes input and environment to git, and accepts the exit statuses that the caller lists', async () => {
  const runner = createGitRunner({ environment: pretend('cat; echo "$ADDED"; exit 7') });
  const call = { input: 'one\ntwo\n', env: { ADDED: 'three' }, answers: [7] };
  expect(await runner.answer('/', ['status'], call)).toEqual({ code: 7, out: 'one\ntwo\nthree\n' });
  const other = runner.answer('/', ['status'], { ...call, answers: [1] });
  expect(await refusal(other)).toMatchObject({ code: 'git.failed' });
});

test("reports git's error text if git exits without reading its input", async () => {
  const runner = createGitRunner({ environment: pretend('exec <&-; echo "no, thank you" >&2; exit 3') });
  const fault = await refusal(runner.answer('/', ['fetch'], { input: 'x'.repeat(1_000_000) }));
  expect(fault.message).toBe('git fetch ended with 3: no, thank you');
});

test('kills git and its children when it is aborted', async () => {
  const environment = pretend('sleep 61 & echo $! > "$0.pid"; wait');
  const gone = new AbortController();
  const call = refusal(createGitRunner({ environment }).answer('/', ['log'], { signal: gone.signal }));
  await expect.poll(() => existsSync(join(tools, 'git.pid'))).toBe(true);
  gone.abort();
  expect(await call).toMatchObject({ code: 'git.interrupted' });
  const grandchild = Number(readFileSync(join(tools, 'git.pid'), 'utf8'));
  await expect.poll(() => isRunning(grandchild)).toBe(false);
});

test('does not start git if the signal is already aborted', async () => {
  const environment = pretend('touch "$0.begun"');
  const call = createGitRunner({ environment }).answer('/', ['log'], { signal: AbortSignal.abort() });
  expect(await refusal(call)).toMatchObject({ code: 'git.interrupted' });
  expect(existsSync(join(tools, 'git.begun'))).toBe(false);
});

test("uses the person's git settings only if asked to", async () => {
  writeFileSync(join(tools, '.gitconfig'), '[user]\n\tname = Ann\n');
  const environment = { PATH: SEARCH_PATH, HOME: tools, GIT_CONFIG_GLOBAL: '/dev/null' };
  const name = ['config', 'user.name'];
  expect(await createGitRunner({ environment }).ask('/', name)).toBeUndefined();
  expect(await createGitRunner({ environment, personal: true }).ask('/', name)).toBe('Ann\n');
});
