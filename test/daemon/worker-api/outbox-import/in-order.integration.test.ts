import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkerIdentity } from '../../../../src/core/model/ids.ts';
import { toWorkerId } from '../../../../src/core/model/ids.ts';
import {
  OutboxImporter,
  withOutboxImport,
} from '../../../../src/daemon/worker-api/outbox-import/outbox-importer.ts';
import { createOutboxEntryName } from '../../../../src/protocol/outbox.ts';
import { keepInOutbox } from '../../../../src/worker-client/outbox.ts';
import { openWorking, type Working } from '../working.ts';

let working: Working;
beforeAll(async () => {
  working = await openWorking();
});
afterAll(() => working.close());

const boxOf = ({ issue, mode, attempt }: WorkerIdentity) =>
  working.world.folders.outbox(toWorkerId(issue, mode), attempt);

function heard(takeIn = takeInOne) {
  return withOutboxImport(working.world, working.speech, takeIn);
}

function takeInOne(outbox: string): Promise<number> {
  return new OutboxImporter(working.world, working.speech).importOne(outbox);
}

async function keepHandoff(who: WorkerIdentity): Promise<void> {
  const { issue, mode, attempt } = who;
  await keepInOutbox(boxOf(who), {
    id: randomUUID(),
    verb: 'handoff_write',
    input: { summary: 'the plan' },
    at: Date.now(),
    worker: toWorkerId(issue, mode),
    attempt,
    token: working.world.tokens.createToken(who),
  });
}

test('processes a stored handoff before the report that follows it', async () => {
  const who = await working.dispatch(await working.issue('Todo'), 'plan');
  await keepHandoff(who);
  expect(await heard().handleVerb(who, 'done', { summary: 'planned' }, randomUUID())).toMatchObject({
    accepted: true,
  });
});

test('accepts messages although an outbox entry is unreadable, and skips the import if there is no outbox', async () => {
  const who = await working.dispatch(await working.issue('Todo'), 'plan');
  const never = () => Promise.reject(new Error('no import was needed'));
  await heard(never).handleVerb(who, 'status', {}, randomUUID());
  await mkdir(boxOf(who), { recursive: true });
  await writeFile(join(boxOf(who), createOutboxEntryName(Date.now(), randomUUID(), [])), 'no message');
  const nothing = async () => 0;
  expect(await heard(nothing).handleVerb(who, 'comment', { text: 'I am here' }, randomUUID())).toBeDefined();
});
