import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BaselineFacts } from '../../../src/core/state/preflight.ts';
import { openBaseline } from '../../../src/daemon/composition/run-baseline.ts';
import type { Baseline, BaselineCommand, WantedBaseline } from '../../../src/daemon/preflight/baseline.ts';
import { makeWithSubmodules } from '../../git/with-submodules.ts';
import { settableClock } from '../../ports/forge/clock.ts';
import { git } from '../../ports/forge/git.ts';
import { until } from '../../support/running-daemon.ts';

const { PATH, HOME } = process.env;
let folder: string;
let repository: string;
let state: string;
let open: Baseline[];
const clock = settableClock();

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'legion-baseline-')));
  repository = join(folder, 'repository');
  state = folder;
  open = [];
  await git(folder, 'init', '--quiet', '--initial-branch=main', repository);
  await commit('one');
});

afterEach(async () => {
  for (const each of open) await each.close();
  rmSync(folder, { recursive: true, force: true });
});

async function commit(text: string): Promise<string> {
  writeFileSync(join(repository, 'file.txt'), text);
  await git(repository, 'add', '--all');
  await git(repository, 'commit', '--quiet', `--message=${text}`);
  return git(repository, 'rev-parse', 'HEAD');
}

async function opened(limitMs?: number): Promise<Baseline> {
  const baseline = await openBaseline({
    source: { common: join(repository, '.git') },
    state,
    environment: { PATH, HOME },
    clock,
    onChange: () => undefined,
    limitMs,
  });
  open.push(baseline);
  return baseline;
}

/** Makes the command append a line to the file `runs` every time it runs. */
function counting(rest: string): BaselineCommand {
  return ['sh', '-c', `echo run >> ${join(folder, 'runs')}; ${rest}`];
}

function runs(): number {
  const path = join(folder, 'runs');
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0;
}

/**
 * Returns whether the process is running. A zombie that has not been reaped yet does not count as
 * running.
 */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function wanted(fingerprint: string, ...commands: BaselineCommand[]): Promise<WantedBaseline> {
  return { fingerprint, sha: await git(repository, 'rev-parse', 'HEAD'), commands };
}

async function settled(baseline: Baseline, of: WantedBaseline): Promise<BaselineFacts | undefined> {
  baseline.reconcile(of);
  return until(
    async () => baseline.facts(of),
    (facts) => facts?.verdict !== 'running',
  );
}

test('runs a passing baseline once, in a clean checkout of the base, and not again after a restart or another commit', async () => {
  writeFileSync(join(repository, 'uncommitted.txt'), 'not in the checkout');
  const green = await wanted('a', counting('test -f file.txt && test ! -e uncommitted.txt'));
  expect(await settled(await opened(), green)).toEqual({ verdict: 'passed' });
  const next = await opened();
  await commit('two');
  expect(await settled(next, await wanted('a', counting('false')))).toEqual({ verdict: 'passed' });
  expect(runs()).toBe(1);
  expect(await readdir(join(state, 'baseline'))).toEqual([]);
});

test('keeps the last lines of a failing baseline across a restart, and reruns the baseline on request or when the base moves', async () => {
  const red = await wanted('a', counting('seq 1 100; echo broken; exit 3'));
  const facts = await settled(await opened(), red);
  expect(facts).toMatchObject({ verdict: 'failed', why: 'it ended with 3' });
  expect(facts).toHaveProperty('tail', expect.stringMatching(/^82\n(?:.*\n)*broken$/));
  const next = await opened();
  expect(await settled(next, red)).toMatchObject({ verdict: 'failed' });
  expect(runs()).toBe(1);
  next.rerun();
  expect(await settled(next, red)).toMatchObject({ verdict: 'failed' });
  expect(runs()).toBe(2);
  await commit('two');
  expect(await settled(next, await wanted('a', counting('true')))).toEqual({ verdict: 'passed' });
  expect(runs()).toBe(3);
});

test('runs changed commands even if the previous commands passed', async () => {
  const baseline = await opened();
  expect(await settled(baseline, await wanted('a', ['true']))).toEqual({ verdict: 'passed' });
  expect(await settled(baseline, await wanted('b', ['false']))).toMatchObject({ verdict: 'failed' });
});

test('runs the commands one after the other until one fails', async () => {
  const all = await wanted('a', counting('true'), counting('exit 1'), counting('true'));
  expect(await settled(await opened(), all)).toMatchObject({ verdict: 'failed' });
  expect(runs()).toBe(2);
});

test('kills a hanging command and its children, and does not count the baseline as failed', async () => {
  const hanging = await wanted('a', ['sh', '-c', `sleep 600 & echo $! > ${join(folder, 'pid')}; wait`]);
  expect(await settled(await opened(300), hanging)).toMatchObject({
    verdict: 'could_not_run',
    why: 'it did not finish within 0.3 s and was killed',
  });
  await until(
    async () => isRunning(Number(readFileSync(join(folder, 'pid'), 'utf8'))),
    (isAlive) => !isAlive,
  );
});

test('reports which program is missing, and retries after five minutes and at the next start', async () => {
  const baseline = await opened();
  const missing = await wanted('a', ['no-such-program']);
  expect(await settled(baseline, missing)).toMatchObject({
    verdict: 'could_not_run',
    why: 'no-such-program is not on the PATH',
  });
  const there = await wanted('a', ['true']);
  expect(await settled(baseline, there)).toMatchObject({ verdict: 'could_not_run' });
  clock.advance(5 * 60_000);
  expect(await settled(baseline, there)).toEqual({ verdict: 'passed' });
});

test('keeps an override for the same commands across a restart and another failed run, and ends the override when the commands pass', async () => {
  const baseline = await opened();
  const red = await wanted('a', ['false']);
  expect(baseline.ignore('Ada')).toBe(false);
  baseline.reconcile(red);
  expect(baseline.ignore('Ada')).toBe(true);
  expect(await settled(baseline, red)).toMatchObject({ verdict: 'failed', ignoredBy: 'Ada' });
  const next = await opened();
  expect(next.facts(red)).toMatchObject({ verdict: 'failed', ignoredBy: 'Ada' });
  await commit('two');
  expect(await settled(next, await wanted('a', ['false']))).toMatchObject({ ignoredBy: 'Ada' });
  await commit('three');
  expect(await settled(next, await wanted('a', ['true']))).toEqual({ verdict: 'passed' });
  next.rerun();
  const again = await settled(next, await wanted('a', ['false']));
  expect(again).toMatchObject({ verdict: 'failed', ignoredBy: undefined });
});

test('aborts the run and discards its result when an approval is withdrawn or changed', async () => {
  const baseline = await opened();
  const slow = await wanted('a', counting('sleep 600'));
  baseline.reconcile(slow);
  await until(
    async () => runs(),
    (count) => count === 1,
  );
  baseline.reconcile(undefined);
  expect(baseline.facts(undefined)).toBeUndefined();
  const other = await wanted('b', ['true']);
  await until(
    async () => {
      baseline.reconcile(other);
      return baseline.facts(other);
    },
    (facts) => facts?.verdict === 'passed',
  );
  expect(JSON.parse(readFileSync(join(state, 'baseline.json'), 'utf8')).result.fingerprint).toBe('b');
});

test('ends a command that a killed daemon left running, and records no result for that command', async () => {
  const killed = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'killed-baseline.ts'), repository, state],
    { encoding: 'utf8', env: { PATH, HOME } },
  );
  const pid = Number(killed.stdout);
  expect([killed.signal, isRunning(pid)]).toEqual(['SIGKILL', true]);
  const next = await opened();
  await until(
    async () => isRunning(pid),
    (isAlive) => !isAlive,
  );
  expect(await readdir(join(state, 'baseline'))).toEqual([]);
  expect(next.facts(await wanted('a', ['true']))?.verdict).toBe('running');
});

test('treats an unreadable record as missing', async () => {
  writeFileSync(join(state, 'baseline.json'), '{"result":');
  expect(await settled(await opened(), await wanted('a', ['true']))).toEqual({ verdict: 'passed' });
});

test('checks out submodules, and reports an unavailable submodule as a separate problem', async () => {
  ({ repository } = await makeWithSubmodules(folder));
  const baseline = await opened();
  const tests = await wanted('a', ['test', '-f', 'lib/inner/inner.txt']);
  const facts = await settled(baseline, tests);
  expect(facts).toMatchObject({ verdict: 'no_checkout' });
  expect(facts).toHaveProperty('why', expect.stringContaining("transport 'file' not allowed"));
  await git(repository, 'config', 'protocol.file.allow', 'always');
  baseline.rerun();
  expect(await settled(baseline, tests)).toEqual({ verdict: 'passed' });
});
