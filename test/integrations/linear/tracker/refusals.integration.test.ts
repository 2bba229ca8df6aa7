/**
 * Tests data that Linear refuses to return: the issue concerned reports it, and other issues are
 * unaffected.
 */
import { expect, test } from 'vitest';
import type { LinearNode } from '../../../../simulators/linear/model/nodes.ts';
import { LinearRefusal, toForbidden } from '../../../../simulators/linear/model/refusal.ts';
import { SIGNAL } from '../../../ports/tracker/issues.ts';
import { WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

const stage = useSimulated();
const MESSAGE = 'You do not have access to this team';
const forbid = () => {
  throw toForbidden(MESSAGE);
};
const isIssue = (number: number) => (node: LinearNode) => node.node === 'Issue' && node.number === number;
const blockedBySecret = (node: LinearNode) => node.node === 'IssueRelation' && node.related.number === 2;

/** Creates a team with this many issues. ENG-2 is blocked by ENG-1; the others have no blockers. */
function board(count: number): string {
  const { linear, pass, team } = stage();
  const id = team('ENG');
  for (let number = 1; number <= count; number += 1)
    linear.people.issue('ENG', { creator: WRITER, title: `Issue ${number}`, state: 'Todo' });
  linear.people.block('ENG-2', 'ENG-1');
  pass(120);
  return id;
}

test('if a relation of an issue cannot be read, holds back only that issue and states the reason', async () => {
  const { linear, pass, tracker } = stage();
  const legion = await tracker(board(4));
  const before = await legion.list(SIGNAL);
  const end = linear.faults.field(blockedBySecret, 'issue', forbid);
  for (const look of [1, 2, 3]) {
    pass(60);
    linear.people.edit(WRITER, 'ENG-3', { title: `Changed ${look}` });
    const issues = await legion.list(SIGNAL);
    expect(issues.map(({ id }) => id)).toEqual(['ENG-1', 'ENG-2', 'ENG-3', 'ENG-4']);
    expect(issues[1]?.problems).toEqual([{ text: expect.stringContaining(MESSAGE), holds: true }]);
    expect(issues[1]?.problems?.[0]?.text).toContain('Next step: give Legion’s account access');
    expect(issues[2]).toMatchObject({ title: `Changed ${look}` });
    expect([issues[0], issues[3]]).toEqual([before[0], before[3]]);
    expect(await legion.read('ENG-2', SIGNAL)).toEqual(issues[1]);
  }
  end();
  pass(60);
  const healed = await legion.list(SIGNAL);
  expect(healed[1]).toEqual(before[1]);
});

test('needs few requests per pass while Linear refuses one issue', async () => {
  const { linear, tracker, asked, pass } = stage();
  const legion = await tracker(board(90));
  linear.faults.field(blockedBySecret, 'issue', forbid);
  asked();
  expect(await legion.list(SIGNAL)).toHaveLength(90);
  expect(asked().length).toBeLessThan(25);
  pass(60);
  expect(await legion.list(SIGNAL)).toHaveLength(90);
  expect(asked().length).toBeLessThanOrEqual(4);
});

test('keeps the last state of an issue that became unreadable, and reports an issue that was never readable', async () => {
  const { linear, tracker, pass } = stage();
  const id = board(3);
  const legion = await tracker(id);
  const [, , before] = await legion.list(SIGNAL);
  const end = linear.faults.field(isIssue(3), 'title', forbid);
  pass(60);
  linear.people.edit(WRITER, 'ENG-3', { description: 'Changed' });
  const after = (await legion.list(SIGNAL)).find((issue) => issue.id === 'ENG-3');
  expect(after).toMatchObject({ ...before, problems: [{ holds: true }] });
  const other = await tracker(id);
  expect((await other.list(SIGNAL)).map((issue) => issue.id)).toEqual(['ENG-1', 'ENG-2']);
  expect(other.problems()).toEqual([expect.stringContaining(MESSAGE)]);
  end();
});

test('if Linear repeatedly fails to return one issue, only the first pass fails; later passes list the other issues', async () => {
  const { linear, tracker, pass } = stage();
  const id = board(4);
  const legion = await tracker(id);
  const before = await legion.list(SIGNAL);
  const end = linear.faults.field(isIssue(3), 'description', () => {
    throw new LinearRefusal('internal error', 'Something went wrong');
  });
  pass(60);
  linear.people.edit(WRITER, 'ENG-3', { title: 'Changed' });
  linear.people.edit(WRITER, 'ENG-4', { title: 'Changed' });
  await expect(legion.list(SIGNAL)).rejects.toMatchObject({ code: 'linear.unavailable' });
  for (const _look of [1, 2]) {
    pass(60);
    const issues = await legion.list(SIGNAL);
    expect(issues.map((issue) => issue.id)).toEqual(['ENG-1', 'ENG-2', 'ENG-3', 'ENG-4']);
    expect(issues[2]).toMatchObject({ title: before[2]?.title, problems: [{ holds: true }] });
    expect(issues[3]).toMatchObject({ title: 'Changed' });
  }
  end();
  pass(60);
  expect((await legion.list(SIGNAL))[2]).toMatchObject({ title: 'Changed' });
  linear.faults.field(
    (node) => node.node === 'Issue',
    'title',
    () => {
      throw new LinearRefusal('internal error', 'Something went wrong');
    },
  );
  for (const _look of [1, 2, 3]) {
    pass(60);
    for (const issue of ['ENG-1', 'ENG-2', 'ENG-3', 'ENG-4'])
      linear.people.edit(WRITER, issue, { description: `Changed ${_look}` });
    await expect(legion.list(SIGNAL)).rejects.toMatchObject({ code: 'linear.unavailable' });
  }
});
