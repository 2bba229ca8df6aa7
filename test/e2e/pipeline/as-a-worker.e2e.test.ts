/**
 * Runs commands with a real worker's environment, through the `legion` on its PATH and through the
 * operator's own executable.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { WorkerView } from '../../../src/protocol/workers.ts';
import { LAUNCHER } from '../../installed/launcher.ts';
import { until } from '../../support/running-daemon.ts';
import { setUpDaemons } from '../support/legion.ts';

const startDaemon = setUpDaemons();

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(env: Readonly<Record<string, string>>, line: string, cwd: string): Promise<Ran> {
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', line], { env, cwd }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    );
  });
}

test("commands run in a worker's environment can act only as that worker, whichever legion executable is used; they keep working across a daemon restart until the worker's attempt ends", async () => {
  const daemon = await startDaemon({
    yaml: 'approvals: { architect: required, merge: required }\n',
    scenario: [{ steps: [{ say: 'thinking' }, { hang: 'silent' }] }],
  });
  const issue = await daemon.add({ status: 'Todo' });
  const [worker] = await until(
    () => daemon.client.get<WorkerView[]>('/workers'),
    ([first]) => first?.status === 'executing',
    60_000,
  );
  const env: Record<string, string> & { readonly LEGION_SOCKET?: string } = Object.fromEntries(
    readFileSync(`/proc/${worker?.pid}/environ`, 'utf8')
      .split('\0')
      .filter((pair) => pair.includes('='))
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  expect(env.LEGION_SOCKET).toBe(join(daemon.legion.state, 'daemon.sock'));
  const before = await daemon.client.events();

  // The commands run next to a legion.yaml, as in a worktree of the operator's checkout.
  const here = daemon.legion.repository;
  const { LEGION_WORKER: _, LEGION_WORKER_TOKEN: __, ...stripped } = env;
  const operators = `${process.execPath} ${LAUNCHER}`;
  for (const [given, line] of [
    [env, `legion approve ${issue}`],
    [stripped, `legion approve ${issue}`],
    [env, `${operators} approve ${issue}`],
    [env, `legion issue show ${issue}`],
    [env, 'legion inbox'],
    [env, `legion stop ${issue}`],
  ] as const) {
    const { code, stdout, stderr } = await run(given, line, here);
    expect([line, code, stdout]).toEqual([line, 1, '']);
    expect(stderr, line).toContain('[worker.operator_command]');
    expect(stderr, line).toContain('legion worker');
  }
  const types = (await daemon.client.events()).slice(before.length).map(({ type }) => type);
  expect(types.filter((type) => type.startsWith('issue.') || type.startsWith('operator.'))).toEqual([]);

  const status = () => run(env, 'legion worker status --json', here);
  expect(JSON.parse((await status()).stdout)).toMatchObject({ issue, attempt: worker?.attempt });
  await daemon.stop();
  await daemon.start();
  expect(JSON.parse((await status()).stdout)).toMatchObject({ issue, attempt: worker?.attempt });
  expect((await run(env, 'legion worker issue', here)).code).toBe(0);

  await daemon.client.request('DELETE', `/workers/${worker?.id}`);
  const over = await run(env, 'legion worker issue', here);
  expect([over.code, over.stdout]).toEqual([1, '']);
  expect(over.stderr).toContain('[worker.attempt_over]');
});
