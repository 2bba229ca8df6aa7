import { randomUUID } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLegionState } from '../../../../src/core/state/state.ts';
import { ActiveProblems } from '../../../../src/daemon/context/active-problems.ts';
import type { DaemonContext } from '../../../../src/daemon/context/daemon-context.ts';
import type { WorkerApi } from '../../../../src/daemon/daemon.ts';
import { OutboxImporter } from '../../../../src/daemon/worker-api/outbox-import/outbox-importer.ts';
import { systemClock } from '../../../../src/lib/async/system-clock.ts';

/**
 * Root ignores file permissions, so the test runs as the user `nobody` instead of the daemon's
 * user.
 */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'legion-outbox-'));
});
afterEach(() => {
  if (isRoot) process.seteuid?.(0);
  chmodSync(join(state, 'outbox/eng-1-plan/1'), 0o700);
  rmSync(state, { recursive: true });
});

test('reports an outbox that a worker has made unreadable, and imports all others', async () => {
  for (const worker of ['eng-1-plan', 'eng-2-plan', 'eng-3-plan'])
    mkdirSync(join(state, 'outbox', worker, '1'), { recursive: true });
  for (const worker of ['eng-1-plan', 'eng-3-plan'])
    writeFileSync(join(state, 'outbox', worker, '1', `${'0'.repeat(15)}-${randomUUID()}.json`), 'torn {');
  const everything = [
    '',
    'outbox',
    ...[1, 2, 3].flatMap((n) => [`outbox/eng-${n}-plan`, `outbox/eng-${n}-plan/1`]),
  ];
  for (const place of everything) if (isRoot) chownSync(join(state, place), NOBODY, NOBODY);
  chmodSync(join(state, 'outbox/eng-1-plan/1'), 0o000);
  if (isRoot) process.seteuid?.(NOBODY);

  const problems = new ActiveProblems(systemClock, () => undefined);
  const ledger = { state: createLegionState() };
  const context = { folders: { state }, problems, ledger, clock: systemClock } as unknown as DaemonContext;
  await new OutboxImporter(context, {} as WorkerApi).importAll();
  const told = problems.list().map(({ code, message }) => `${code} ${message}`);
  expect(told.sort()).toEqual([
    expect.stringMatching(/^speech\.message_set_aside .*eng-3-plan/),
    expect.stringMatching(/^speech\.outbox_unusable .*eng-1-plan.*EACCES/),
  ]);
});
