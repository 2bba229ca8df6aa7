/**
 * Checks that comments, relations and attachments follow Linear's rules, and do not change the
 * issue's own update time.
 */
import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { closeStages, stage, standingClock } from './simulated-linear.ts';

afterEach(closeStages);

async function withIssue(options = {}) {
  const it = await stage(options);
  it.linear.people.issue('ENG', { creator: 'ada', title: 'First' });
  return it;
}

test('only changes to the issue itself change its update time', async () => {
  const clock = standingClock();
  const { ask, linear, state } = await withIssue({ clock });
  const { people } = linear;
  people.issue('ENG', { creator: 'ada', title: 'Second' });
  const updated = async () =>
    (await ask('{ issue(id: "ENG-1") { updatedAt } }')).data.issue.updatedAt as string;
  const began = await updated();
  clock.pass(5);
  people.comment('bob', 'ENG-1', 'hello');
  people.attach('ENG-1', { url: 'https://example.com/1' });
  people.unblock(people.block('ENG-1', 'ENG-2'));
  people.block('ENG-2', 'ENG-1');
  const input = { stateId: await state('Backlog'), title: 'First', addedLabelIds: [] };
  await ask('mutation($input: IssueUpdateInput!) { issueUpdate(id: "ENG-1", input: $input) { success } }', {
    input,
  });
  expect(await updated()).toBe(began);
  for (const change of [
    () => people.setLabels('bob', 'ENG-1', { add: ['bug'] }),
    () => people.move('bob', 'ENG-1', 'Todo'),
    () => people.edit('bob', 'ENG-1', { description: 'More' }),
    () => people.assign('bob', 'ENG-1', 'ada'),
    () => people.archive('bob', 'ENG-1'),
    () => people.unarchive('bob', 'ENG-1'),
  ]) {
    const before = await updated();
    clock.pass(5);
    change();
    expect((await updated()) > before).toBe(true);
  }
});

test('a relation is created once, can be found from both issues, and can be deleted', async () => {
  const { ask, linear } = await withIssue();
  linear.people.issue('ENG', { creator: 'ada', title: 'Second' });
  const id = randomUUID();
  const create = `mutation($input: IssueRelationCreateInput!) { issueRelationCreate(input: $input) { issueRelation { id type } } }`;
  const input = { id, issueId: 'ENG-2', relatedIssueId: 'ENG-1', type: 'blocks' };
  expect((await ask(create, { input })).data.issueRelationCreate.issueRelation).toEqual({
    id,
    type: 'blocks',
  });
  for (const wrong of [
    input,
    { ...input, id: randomUUID() },
    { ...input, id: randomUUID(), issueId: 'ENG-1' },
  ]) {
    expect((await ask(create, { input: wrong })).errors).toMatchObject([
      { extensions: { type: 'invalid input' } },
    ]);
  }
  expect(linear.snapshot().issues[0]?.blockedBy).toEqual(['ENG-2']);
  const both = `{
    one: issue(id: "ENG-1") { inverseRelations { nodes { issue { identifier } } } relations { nodes { id } } }
    two: issue(id: "ENG-2") { relations { nodes { relatedIssue { identifier } } } }
  }`;
  expect((await ask(both)).data).toEqual({
    one: { inverseRelations: { nodes: [{ issue: { identifier: 'ENG-2' } }] }, relations: { nodes: [] } },
    two: { relations: { nodes: [{ relatedIssue: { identifier: 'ENG-1' } }] } },
  });
  await ask('mutation($id: String!) { issueRelationDelete(id: $id) { success entityId } }', { id });
  expect(linear.snapshot().issues[0]?.blockedBy).toEqual([]);
});

test('a URL is attached only once, and attaching it again updates the attachment', async () => {
  const { ask, linear } = await withIssue();
  const create = (input: object) =>
    ask(
      'mutation($input: AttachmentCreateInput!) { attachmentCreate(input: $input) { attachment { id title } } }',
      {
        input: { issueId: 'ENG-1', url: 'https://example.com/1', ...input },
      },
    );
  const id = randomUUID();
  const made = (await create({ id, title: 'One' })).data.attachmentCreate.attachment;
  expect(made).toEqual({ id, title: 'One' });
  const again = (await create({ id: randomUUID(), title: 'Two' })).data.attachmentCreate.attachment;
  expect(again).toEqual({ id, title: 'Two' });
  await ask(
    'mutation { attachmentLinkURL(issueId: "ENG-1", url: "https://example.com/2") { attachment { title } } }',
  );
  expect(linear.snapshot().issues[0]?.attachments).toEqual([
    'https://example.com/1',
    'https://example.com/2',
  ]);
  expect((await create({ url: 'nonsense', title: 'Three' })).errors).toHaveLength(1);
});
