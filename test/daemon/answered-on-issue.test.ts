import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answeredOnIssue, wordsSaid } from '../../src/daemon/answered-on-issue.ts';
import type { World } from '../../src/daemon/world.ts';
import type { IssueId } from '../../src/domain/ids.ts';
import type { SeenIssue } from '../../src/swarm/observation.ts';
import { type DeskLegion, deskLegion } from './desks/legion.ts';

const { signal } = new AbortController();
let legion: DeskLegion;
/** The same board as if it were somebody else's. */
let elsewhere: World;

beforeAll(async () => {
  legion = await deskLegion();
  elsewhere = { ...legion.world, board: undefined };
});
afterAll(() => legion.close());

test('a writer’s comment after the question is its answer, with the marks that let the worker go on', async () => {
  const issue = await asking('Which format?');
  expect(await notice(issue)).toEqual([]);
  await legion.world.board?.say(issue, 'ada', 'JSON.');
  await legion.world.board?.say(issue, 'bob', 'Later words.');
  expect(await notice(issue)).toMatchObject([
    { type: 'question.answered', issue, question: 1, by: 'ada', text: 'JSON.' },
    { type: 'labels.owed', issue, add: ['user-input-needed', 'user-feedback-given'] },
  ]);
});

test('Legion’s own words answer nothing, and neither does what was said before', async () => {
  const issue = await legion.issue('Todo');
  await legion.world.board?.say(issue, 'ada', 'Before.');
  // Into the next second: within one, who came first cannot be told.
  await sleep(1_050);
  await ask(issue, 'Which format?');
  await legion.world.tracker.comment(issue, 'question', 'Which format?');
  expect(await notice(issue)).toEqual([]);
});

test('an issue that waits for nobody is not asked about, and an answered one not again', async () => {
  const idle = await legion.issue('Todo');
  await legion.world.board?.say(idle, 'ada', 'Just so.');
  expect(await notice(idle)).toEqual([]);
  const issue = await asking('Which format?');
  await legion.world.board?.say(issue, 'ada', 'JSON.');
  await legion.append(...(await notice(issue)));
  expect(await notice(issue)).toEqual([]);
});

test('on our own board people answer by a command', async () => {
  const issue = await asking('Which format?');
  await legion.world.board?.say(issue, 'ada', 'JSON.');
  expect(await wordsSaid(legion.world, await seen(issue), signal)).toEqual(new Map());
});

async function asking(text: string): Promise<IssueId> {
  const issue = await legion.issue('Todo');
  await ask(issue, text);
  return issue;
}

async function ask(issue: IssueId, text: string): Promise<void> {
  await legion.dispatched(issue, 'plan');
  await legion.append(
    { type: 'question.asked', issue, mode: 'plan', attempt: 1, question: 1, text },
    { type: 'labels.owed', issue, revision: 1, add: ['user-input-needed'], remove: [] },
  );
}

async function notice(issue: IssueId) {
  const board = await seen(issue);
  return answeredOnIssue(legion.world.ledger.swarm, board, await wordsSaid(elsewhere, board, signal));
}

async function seen(id: IssueId): Promise<readonly SeenIssue[]> {
  const issue = await legion.world.tracker.read(id, signal);
  return issue === undefined ? [] : [{ issue } as SeenIssue];
}
