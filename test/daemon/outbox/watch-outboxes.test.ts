import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { watchOutboxes } from '../../../src/daemon/outbox/watch-outboxes.ts';
import type { OutboxEntry } from '../../../src/protocol/outbox.ts';
import { keepInOutbox } from '../../../src/speech/outbox.ts';
import { eventually } from '../../forges/eventually.ts';

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'legion-outbox-'));
});
afterEach(() => rmSync(state, { recursive: true }));

const folders = () => ({
  folders: {
    state,
    socket: join(state, 'daemon.sock'),
    outbox: () => join(state, 'outbox', 'a-1-plan', '1'),
  },
});
const entry: OutboxEntry = {
  id: '6f0d3a52-7a55-4c1e-9d5e-0d6f0b1f2a33',
  verb: 'done',
  input: { summary: 'done' },
  at: 1,
  worker: 'a-1-plan',
  attempt: 1,
  token: 'token',
};

test('gives a hint when a message is kept, and none after it was stopped', async () => {
  let hints = 0;
  const stop = watchOutboxes(folders(), () => {
    hints += 1;
  });
  try {
    await keepInOutbox(folders().folders.outbox(), entry);
    await eventually('a hint', () => (hints > 0 ? hints : undefined));
  } finally {
    stop();
  }
  const before = hints;
  await keepInOutbox(folders().folders.outbox(), entry);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(hints).toBe(before);
});

test('where nothing can be watched it gives no hints and disturbs nobody', () => {
  writeFileSync(join(state, 'outbox'), 'a file where the folder belongs');
  const stop = watchOutboxes(folders(), () => expect.unreachable());
  expect(stop).not.toThrow();
});
