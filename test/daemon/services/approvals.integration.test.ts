import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventBody } from '../../../src/core/model/event.ts';
import { type DeskLegion, deskLegion } from './legion.ts';

let legion: DeskLegion;
let desk: DeskLegion['desks']['operator'];

beforeAll(async () => {
  legion = await deskLegion();
  desk = legion.desks.operator;
});
afterAll(() => legion.close());

const byAda = { by: 'ada', through: 'dashboard' } as const;

test('an approval of a merge is recorded with its person, entry point and commit', async () => {
  const issue = await legion.issue('Retro', ['needs-approval', 'worker-done']);
  const { head } = await legion.pullRequest(issue);
  await desk.approve(issue, byAda);
  expect(await listApprovals(issue)).toMatchObject([
    { approval: 1, of: 'merge', by: 'ada', through: 'dashboard', sha: head },
  ]);
  expect((await desk.explain(issue)).approved).toMatchObject({
    of: 'merge',
    by: 'ada',
    through: 'dashboard',
    sha: head,
    counts: 'valid',
  });
});

test('a later commit voids the approval of a merge, and the issue waits for a new one', async () => {
  const issue = await legion.issue('Retro', ['needs-approval', 'worker-done']);
  await legion.pullRequest(issue);
  await desk.approve(issue, byAda);
  const { head } = await legion.pullRequest(issue, { 'later.txt': 'more\n' });
  const { approved, approval } = await desk.explain(issue);
  expect(approved).toMatchObject({ counts: 'void', why: 'What was approved has changed since.' });
  expect(approval).toMatchObject({ subject: 'merge', version: head });
  expect(await planLabels(issue)).toMatchObject({ remove: expect.arrayContaining(['human-approved']) });

  await desk.approve(issue, { by: 'bob', through: 'cli' });
  expect((await desk.explain(issue)).approved).toMatchObject({ by: 'bob', sha: head, counts: 'valid' });
});

test('a later commit that changes only the retro paths keeps the approval of a merge', async () => {
  const issue = await legion.issue('Retro', ['needs-approval', 'worker-done']);
  await legion.pullRequest(issue);
  await desk.approve(issue, byAda);
  await legion.pullRequest(issue, { [`docs/solutions/${issue}.md`]: 'lesson\n' });
  expect((await desk.explain(issue)).approved?.counts).toBe('valid');
});

test('a new specification voids the approval of the earlier one', async () => {
  const issue = await legion.issue('Backlog', ['needs-approval', 'worker-done']);
  await legion.append(specification(issue, 1));
  await desk.approve(issue, byAda);
  expect((await legion.control.preview(issue)).decisions[0]?.action).toBe('transition_to_todo');
  await legion.append(specification(issue, 2));
  expect((await legion.control.preview(issue)).decisions[0]).toMatchObject({ reason: 'waits_for_approval' });
  expect((await desk.explain(issue)).approved).toMatchObject({ specification: 1, counts: 'void' });
});

test('an approval counts even if its label could not be written to the board', async () => {
  const issue = await legion.issue('Backlog', ['needs-approval', 'worker-done']);
  await desk.approve(issue, byAda);
  await legion.desks.issues.label(issue, { add: [], remove: ['human-approved'] });
  expect((await legion.control.preview(issue)).decisions[0]?.action).toBe('transition_to_todo');
});

test('an approval that an earlier version recorded only as a label still counts', async () => {
  const issue = await legion.issue('Backlog', ['needs-approval', 'human-approved', 'worker-done']);
  expect((await legion.control.preview(issue)).decisions[0]?.action).toBe('transition_to_todo');
});

test('a rejection withdraws the approval', async () => {
  const issue = await legion.issue('Backlog', ['needs-approval', 'worker-done']);
  await desk.approve(issue, byAda);
  await desk.reject(issue, { by: 'bob', through: 'cli', why: 'Too vague' });
  expect((await desk.explain(issue)).approved).toBeUndefined();
});

async function planLabels(issue: string) {
  const { commands } = await legion.control.preview(issue);
  return commands.map(({ command }) => command).find(({ kind }) => kind === 'write_issue');
}

async function listApprovals(issue: string): Promise<readonly EventBody[]> {
  const found: EventBody[] = [];
  for await (const batch of legion.world.ledger.read(0))
    for (const event of batch)
      if (event.type === 'approval.given' && event.issue === issue) found.push(event);
  return found;
}

function specification(issue: string, revision: number): EventBody {
  return { type: 'handoff.written', issue, phase: 'architect', revision, content: { summary: 'Greet' } };
}
