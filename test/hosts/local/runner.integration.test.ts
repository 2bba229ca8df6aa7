/** Tests the runner: it is small and unobtrusive, and its loss is detected. */
import { readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually, exitOf, isGone, order, readAll, SCRIPTS, says } from '../../ports/host/workers.ts';
import { useHarness } from './present.ts';
import { folderOf, runnerPid } from './runner-pid.ts';

/**
 * Limit for the private memory of one runner, so that 200 runners need little memory in total. A
 * runner normally uses only a small part of this limit.
 */
const RUNNER_KILOBYTES = 1_024;

const present = useHarness();

test("if SIGKILL ends only the runner, the worker keeps running, and the worker's exit status is later unknown, never a success", async () => {
  const { open, workspace, state } = present();
  const host = await open();
  const go = join(workspace, 'go');
  const worker = order(workspace, SCRIPTS.untilFile.replace('exit 7', 'exit 0'), { arguments: [go] });
  const identity = await host.start(worker);
  await says(host, worker, 'before');
  process.kill(runnerPid(state), 'SIGKILL');
  expect(await host.observe(identity)).toMatchObject({ alive: true, exit: 'none' });

  let hints = 0;
  const stop = host.watch(worker.worker, 1, () => {
    hints += 1;
  });
  writeFileSync(go, '');
  await isGone(host, identity);
  expect(await host.observe(identity)).toMatchObject({
    alive: false,
    exit: { unavailable: expect.stringContaining('runner') },
  });
  expect(await readAll(host, worker)).toBe('before\nafter\n');
  await eventually('a hint', () => (hints > 0 ? true : undefined));
  stop();
  expect(await host.start(worker), 'it is not run again').toEqual(identity);
});

test('records the exit status despite signals to the runner', async () => {
  const { open, workspace, state } = present();
  const host = await open();
  const go = join(workspace, 'go');
  const worker = order(workspace, SCRIPTS.untilFile, { arguments: [go] });
  const identity = await host.start(worker);
  await says(host, worker, 'before');
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const)
    process.kill(runnerPid(state), signal);
  expect(await host.observe(identity)).toMatchObject({ alive: true });
  writeFileSync(go, '');
  expect(await exitOf(host, identity)).toMatchObject({ code: 7 });
});

test('needs little memory of its own', async () => {
  const { open, workspace, state } = present();
  const host = await open();
  const worker = order(workspace, `echo ready; ${SCRIPTS.forever}`);
  await host.start(worker);
  await says(host, worker, 'ready');
  const rollup = readFileSync(`/proc/${runnerPid(state)}/smaps_rollup`, 'utf8');
  const own = [...rollup.matchAll(/^Private_\w+:\s+(\d+) kB$/gm)].reduce(
    (sum, [, kb]) => sum + Number(kb),
    0,
  );
  expect(own).toBeGreaterThan(0);
  expect(own).toBeLessThan(RUNNER_KILOBYTES);
});

test('the worker inherits only the three standard streams and no ignored signals', async () => {
  const { open, workspace, state } = present();
  const host = await open();
  const worker = order(workspace, 'ls -l "/proc/$$/fd"; grep SigIgn "/proc/$$/status"');
  await exitOf(host, await host.start(worker));
  const text = await readAll(host, worker);
  const files = [...text.matchAll(/ (\d+) -> (.+)$/gm)].map(([, fd = '', file = '']) => ({ fd, file }));
  // The runner cannot close files that the test's own parent left open for all children.
  expect(files.filter(({ fd, file }) => file !== ownFile(fd))).toEqual(
    ['stdin', 'out', 'err'].map((name, fd) => ({
      fd: String(fd),
      file: join(folderOf(state, worker.worker, 1), name),
    })),
  );
  expect(text).toContain('SigIgn:\t0000000000000000');
});

test('keeps all files of an attempt in one directory that only the user can open', async () => {
  const { open, workspace, state } = present();
  const host = await open();
  const worker = order(workspace, 'exit 0', { worker: 'A-1-plan' });
  await exitOf(host, await host.start(worker));
  const [name = ''] = readdirSync(join(state, 'attempts'));
  const folder = folderOf(state, name, 1);
  expect(readdirSync(folder).toSorted()).toEqual(
    ['claim', 'err', 'exit.json', 'out', 'process.json', 'start.json', 'stdin'].toSorted(),
  );
  expect(JSON.parse(readFileSync(join(folder, 'process.json'), 'utf8'))).toMatchObject({
    program: '/bin/sh',
    cwd: workspace,
  });
  for (const path of [state, folder]) expect(statSync(path).mode & 0o777, path).toBe(0o700);
  expect(readdirSync(join(state, 'preparing'))).toEqual([]);
});

function ownFile(fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}
