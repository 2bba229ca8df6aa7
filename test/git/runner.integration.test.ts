/** Git runs in an environment of our making, within its limits, and fails with a code and its own words. */
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
import { gitRunner } from '../../src/git/runner.ts';
import { refusal } from '../ports/journal/refusal.ts';
import { git, SEARCH_PATH } from '../workspaces/git-worktree/git-command.ts';
import { useGit } from '../workspaces/git-worktree/use-harness.ts';

const present = useGit();
let tools: string;
beforeEach(() => {
  tools = realpathSync(mkdtempSync(join(tmpdir(), 'legion-tools-')));
});
afterEach(() => rmSync(tools, { recursive: true }));

/** A program called `git` that does what the test needs. */
function pretend(script: string): { readonly PATH: string } {
  writeFileSync(join(tools, 'git'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(tools, 'git'), 0o755);
  return { PATH: `${tools}:${SEARCH_PATH}` };
}

/** A zombie has ended: whoever adopted it has not noticed yet. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test.each([[''], [undefined], ['.:relative/bin'], ['/no/such/folder']])(
  'with the search path %j git is missing, and a git in the repository is not used instead',
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

test('variables of git from outside are of no effect', async () => {
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

test('neither hooks nor a file system monitor of the repository run', async () => {
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

test('a git that hangs is ended with all it started, within its time', async () => {
  const environment = pretend('sleep 61 & echo $! > "$0.pid"; wait');
  const begun = performance.now();
  const call = gitRunner({ environment, timeoutMs: 300 }).run('/', ['status']);
  expect(await refusal(call)).toMatchObject({ code: 'git.timeout' });
  expect(performance.now() - begun).toBeLessThan(5_000);
  const grandchild = Number(readFileSync(join(tools, 'git.pid'), 'utf8'));
  await expect.poll(() => isRunning(grandchild)).toBe(false);
});

test('what ends but leaves its output open to a grandchild is not waited for', async () => {
  const environment = pretend('echo answer; sleep 5 & exit 0');
  const begun = performance.now();
  expect(await gitRunner({ environment }).run('/', ['status'])).toBe('answer\n');
  expect(performance.now() - begun).toBeLessThan(4_000);
});

test('endless output is cut off', { timeout: 60_000 }, async () => {
  const environment = pretend('exec cat /dev/zero');
  expect(await refusal(gitRunner({ environment }).run('/', ['log']))).toMatchObject({
    code: 'git.output_too_large',
  });
});

test('a failure has the words of git, on one line and without secrets', async () => {
  const environment = pretend(
    'echo "fatal: cannot read https://ann:s3cr3t@example.org/x.git" >&2; printf "with \\033[31mghp_0123456789abcdef\\n" >&2; exit 128',
  );
  const fault = await refusal(gitRunner({ environment }).run('/', ['fetch']));
  expect(fault.code).toBe('git.failed');
  expect(fault.message).toBe(
    'git fetch ended with 128, saying: fatal: cannot read https://***@example.org/x.git | with \\u{1b}[31m***',
  );
});

test.each([
  ["fatal: detected dubious ownership in repository at '/x'", 'git.not_owned'],
  ['error: unable to write file a: No space left on device', 'workspace.full'],
  ["fatal: Unable to create '/x/.git/packed-refs.lock': File exists.", 'git.locked'],
  ['fatal: not a git repository (or any of the parent directories): .git', 'workspace.not_a_repository'],
])('%s means %s', async (words, code) => {
  const environment = pretend(`echo "${words}" >&2; exit 128`);
  expect(await refusal(gitRunner({ environment }).run('/', ['status']))).toMatchObject({ code });
});

test('a git that does not know how to merge in memory is too old', async () => {
  const environment = pretend('echo "usage: git merge-tree <base> <one> <other>" >&2; exit 129');
  const args = ['--git-dir=/x', '-c', 'some.setting=1', 'merge-tree', '--write-tree', 'a', 'b'];
  const fault = await refusal(gitRunner({ environment }).run('/', args));
  expect(fault.code).toBe('git.too_old');
  expect(fault.message).toContain('git merge-tree ended with 129');
});

test('status 1 is an answer where a question was asked, and a failure elsewhere', async () => {
  const runner = gitRunner({ environment: pretend('exit 1') });
  expect(await runner.ask('/', ['config', 'x'])).toBeUndefined();
  expect(await refusal(runner.run('/', ['config', 'x']))).toMatchObject({ code: 'git.failed' });
});

test('git reads what it is given, sees what is added to its environment, and answers with the statuses named', async () => {
  const runner = gitRunner({ environment: pretend('cat; echo "$ADDED"; exit 7') });
  const call = { input: 'one\ntwo\n', env: { ADDED: 'three' }, answers: [7] };
  expect(await runner.answer('/', ['status'], call)).toEqual({ code: 7, out: 'one\ntwo\nthree\n' });
  const other = runner.answer('/', ['status'], { ...call, answers: [1] });
  expect(await refusal(other)).toMatchObject({ code: 'git.failed' });
});

test('a git that does not read what it is given fails by its own words only', async () => {
  const runner = gitRunner({ environment: pretend('exec <&-; echo "no, thank you" >&2; exit 3') });
  const fault = await refusal(runner.answer('/', ['fetch'], { input: 'x'.repeat(1_000_000) }));
  expect(fault.message).toBe('git fetch ended with 3, saying: no, thank you');
});

test('a git that nobody waits for any more is ended with all it started', async () => {
  const environment = pretend('sleep 61 & echo $! > "$0.pid"; wait');
  const gone = new AbortController();
  const call = refusal(gitRunner({ environment }).answer('/', ['log'], { signal: gone.signal }));
  await expect.poll(() => existsSync(join(tools, 'git.pid'))).toBe(true);
  gone.abort();
  expect(await call).toMatchObject({ code: 'git.interrupted' });
  const grandchild = Number(readFileSync(join(tools, 'git.pid'), 'utf8'));
  await expect.poll(() => isRunning(grandchild)).toBe(false);
});

test('a git that nobody waits for from the beginning is not begun', async () => {
  const environment = pretend('touch "$0.begun"');
  const call = gitRunner({ environment }).answer('/', ['log'], { signal: AbortSignal.abort() });
  expect(await refusal(call)).toMatchObject({ code: 'git.interrupted' });
  expect(existsSync(join(tools, 'git.begun'))).toBe(false);
});

test('personal settings count only where git works in the folder of a person', async () => {
  writeFileSync(join(tools, '.gitconfig'), '[user]\n\tname = Ann\n');
  const environment = { PATH: SEARCH_PATH, HOME: tools, GIT_CONFIG_GLOBAL: '/dev/null' };
  const name = ['config', 'user.name'];
  expect(await gitRunner({ environment }).ask('/', name)).toBeUndefined();
  expect(await gitRunner({ environment, personal: true }).ask('/', name)).toBe('Ann\n');
});
