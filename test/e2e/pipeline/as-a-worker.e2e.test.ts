/** What a real worker's shell can do with the `legion` on its PATH, and with the operator's own by its path. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { WorkerView } from '../../../src/protocol/operator.ts';
import { LAUNCHER } from '../../installed/launcher.ts';
import { until } from '../../support/running-daemon.ts';
import { stage } from '../support/legion.ts';

const begin = stage();

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

test('a worker acts as itself by whatever legion it calls, across a restart, until its attempt ends', async () => {
  const life = await begin({
    yaml: 'approvals: { architect: required, merge: required }\n',
    scenario: [{ steps: [{ say: 'thinking' }, { hang: 'silent' }] }],
  });
  const issue = await life.add({ status: 'Todo' });
  const [worker] = await until(
    () => life.door.get<WorkerView[]>('/workers'),
    ([first]) => first?.status === 'executing',
    60_000,
  );
  const env: Record<string, string> & { readonly LEGION_SOCKET?: string } = Object.fromEntries(
    readFileSync(`/proc/${worker?.pid}/environ`, 'utf8')
      .split('\0')
      .filter((pair) => pair.includes('='))
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  expect(env.LEGION_SOCKET).toBe(join(life.legion.state, 'daemon.sock'));
  const before = await life.door.events();

  // Also with a legion.yaml at hand, as in a worktree of the operator's checkout.
  const here = life.legion.repository;
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
  const types = (await life.door.events()).slice(before.length).map(({ type }) => type);
  expect(types.filter((type) => type.startsWith('issue.') || type.startsWith('operator.'))).toEqual([]);

  const status = () => run(env, 'legion worker status --json', here);
  expect(JSON.parse((await status()).stdout)).toMatchObject({ issue, attempt: worker?.attempt });
  await life.stop();
  await life.start();
  expect(JSON.parse((await status()).stdout)).toMatchObject({ issue, attempt: worker?.attempt });
  expect((await run(env, 'legion worker issue', here)).code).toBe(0);

  await life.door.request('DELETE', `/workers/${worker?.id}`);
  const over = await run(env, 'legion worker issue', here);
  expect([over.code, over.stdout]).toEqual([1, '']);
  expect(over.stderr).toContain('[worker.attempt_over]');
});
