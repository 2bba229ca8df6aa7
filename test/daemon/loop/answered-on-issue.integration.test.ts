import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IssueId } from '../../../src/core/model/ids.ts';
import { answeredOnIssue, waitsForWordSince } from '../../../src/daemon/answered-on-issue.ts';
import { observeIssues } from '../../../src/daemon/context/observer.ts';
import type { Issue } from '../../../src/domain/issue.ts';
import { type DeskLegion, deskLegion } from '../services/legion.ts';

const { signal } = new AbortController();
let legion: DeskLegion;

beforeAll(async () => {
  legion = await deskLegion();
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

/** As the loop looks where the board is somebody else's. */
async function notice(issue: IssueId) {
  const { tracker, ledger, repositories } = legion.world;
  const outside = {
    ...{ tracker, columns: {}, forgeOf: (id: IssueId) => repositories.find(id)?.forge },
    waitsSince: (seen: Issue) => waitsForWordSince(ledger.swarm, seen),
  };
  return answeredOnIssue(ledger.swarm, await observeIssues(outside, ledger.swarm, [issue], signal));
}
