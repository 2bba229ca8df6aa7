import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workerId } from '../../../../src/core/model/ids.ts';
import type { WorkerIdentity } from '../../../../src/daemon/daemon.ts';
import { inOrder } from '../../../../src/daemon/outbox/in-order.ts';
import { OutboxIntake } from '../../../../src/daemon/outbox/outbox-intake.ts';
import { outboxEntryName } from '../../../../src/protocol/outbox.ts';
import { keepInOutbox } from '../../../../src/speech/outbox.ts';
import { openWorking, type Working } from '../working.ts';

let working: Working;
beforeAll(async () => {
  working = await openWorking();
});
afterAll(() => working.close());

const boxOf = ({ issue, mode, attempt }: WorkerIdentity) =>
  working.world.folders.outbox(workerId(issue, mode), attempt);

function heard(takeIn = takeInOne) {
  return inOrder(working.world, working.speech, takeIn);
}

function takeInOne(outbox: string): Promise<number> {
  return new OutboxIntake(working.world, working.speech).takeInOne(outbox);
}

async function keepHandoff(who: WorkerIdentity): Promise<void> {
  const { issue, mode, attempt } = who;
  await keepInOutbox(boxOf(who), {
    ...{ id: randomUUID(), verb: 'handoff_write', input: { summary: 'the plan' }, at: Date.now() },
    ...{ worker: workerId(issue, mode), attempt, token: working.world.tokens.tokenFor(who) },
  });
}

test('a report that is said comes after the handoff that was kept before it', async () => {
  const who = await working.dispatch(await working.issue('Todo'), 'plan');
  await keepHandoff(who);
  expect(await heard().say(who, 'done', { summary: 'planned' }, randomUUID())).toMatchObject({
    accepted: true,
  });
});

test('what cannot be taken in silences nobody, and an empty outbox costs no pass', async () => {
  const who = await working.dispatch(await working.issue('Todo'), 'plan');
  const never = () => Promise.reject(new Error('no pass was needed'));
  await heard(never).say(who, 'status', {}, randomUUID());
  await mkdir(boxOf(who), { recursive: true });
  await writeFile(join(boxOf(who), outboxEntryName(Date.now(), randomUUID(), [])), 'no message');
  const nothing = async () => 0;
  expect(await heard(nothing).say(who, 'comment', { text: 'I am here' }, randomUUID())).toBeDefined();
});
