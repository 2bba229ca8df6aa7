import { randomUUID } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { emptySwarm } from '../../../../src/core/state/state.ts';
import type { Speech } from '../../../../src/daemon/daemon.ts';
import { OutboxIntake } from '../../../../src/daemon/outbox/outbox-intake.ts';
import { Troubles } from '../../../../src/daemon/troubles.ts';
import type { World } from '../../../../src/daemon/world.ts';
import { systemClock } from '../../../../src/lib/async/system-clock.ts';

/** Who may read everything is not kept out by any lock: the user nobody stands in for the daemon's. */
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

test('an outbox that a worker has locked is told, and everybody else is heard', async () => {
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

  const troubles = new Troubles(systemClock, () => undefined);
  const ledger = { swarm: emptySwarm() };
  const world = { folders: { state }, troubles, ledger, clock: systemClock } as unknown as World;
  await new OutboxIntake(world, {} as Speech).takeInAll();
  const told = troubles.list().map(({ code, message }) => `${code} ${message}`);
  expect(told.sort()).toEqual([
    expect.stringMatching(/^speech\.message_set_aside .*eng-3-plan/),
    expect.stringMatching(/^speech\.outbox_unusable .*eng-1-plan.*EACCES/),
  ]);
});
