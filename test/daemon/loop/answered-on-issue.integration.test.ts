import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IssueId } from '../../../src/core/model/ids.ts';
import type { Issue } from '../../../src/core/model/issue.ts';
import { detectAnswers, findCommentsStart } from '../../../src/core/state/comments/answers.ts';
import { observeIssues } from '../../../src/daemon/context/observer.ts';
import { type DeskLegion, deskLegion } from '../services/legion.ts';

const { signal } = new AbortController();
let legion: DeskLegion;

beforeAll(async () => {
  legion = await deskLegion();
});
afterAll(() => legion.close());

test('if a person with write access comments after the question, records the comment as the answer, with the labels that let the worker continue', async () => {
  const issue = await asking('Which format?');
  expect(await notice(issue)).toEqual([]);
  await legion.world.board?.say(issue, 'ada', 'JSON.');
  await legion.world.board?.say(issue, 'bob', 'Later words.');
  expect(await notice(issue)).toMatchObject([
    { type: 'question.answered', issue, question: 1, by: 'ada', text: 'JSON.' },
    { type: 'labels.owed', issue, add: ['user-input-needed', 'user-feedback-given'] },
  ]);
});

test('ignores Legion’s own comments and comments made before the question', async () => {
  const issue = await legion.issue('Todo');
  await legion.world.board?.say(issue, 'ada', 'Before.');
  // Waits for the next second, because the order of comments within the same second is unknown.
  await sleep(1_050);
  await ask(issue, 'Which format?');
  await legion.world.tracker.comment(issue, 'question', 'Which format?');
  expect(await notice(issue)).toEqual([]);
});

test('ignores an issue that is not waiting for an answer, and an issue whose question is already answered', async () => {
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

/** Observes the board as the loop does if the tracker is external. */
async function notice(issue: IssueId) {
  const { tracker, ledger, repositories } = legion.world;
  const outside = {
    tracker,
    columns: {},
    forgeOf: (id: IssueId) => repositories.find(id)?.forge,
    findCommentsStart: (seen: Issue) => findCommentsStart(ledger.state, seen, Date.now()),
  };
  return detectAnswers(ledger.state, await observeIssues(outside, ledger.state, [issue], signal));
}
